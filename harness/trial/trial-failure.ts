/** How a trial ends before its time: by a failure, or because a step took longer than its bound. */

/** The end of a trial before its time; the message becomes a reason of the verdict. */
export class TrialFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'TrialFailure';
    this.code = code;
  }
}

/**
 * Waits for a step's end, but not longer than its bound.
 *
 * @param subject of the message: "the start of all users"
 * @param code of the failure if it does not; by default `too-slow`, which is the harness's
 * @param step gets a signal that aborts at the bound too; it is no longer waited for then, whether it heeds it or not
 */
export type Within = <T>(
  limitMs: number,
  subject: string,
  step: (signal: AbortSignal) => Promise<T>,
  code?: string,
) => Promise<T>;

/** @returns bounds for steps that end with `signal`; theirs is a `TrialFailure`, the signal's is its reason */
export function boundBy(signal: AbortSignal): Within {
  return async (limitMs, subject, step, code = 'too-slow') => {
    const limit = AbortSignal.timeout(Math.ceil(limitMs));
    const limited = AbortSignal.any([signal, limit]);
    try {
      limited.throwIfAborted();
      return await Promise.race([step(limited), endOf(limited)]);
    } catch (error) {
      if (error !== limit.reason) throw error;
      throw new TrialFailure(code, `${subject} did not happen within ${Math.ceil(limitMs / 1000)} s`);
    }
  };
}

/** Rejects with the signal's reason when it aborts. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
