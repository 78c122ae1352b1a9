/** Settling: typing has stopped, and all users must come to hold one document. */
import type { Timer } from '../../infra/clock.ts';
import type { DocumentState, MessageOf } from './protocol.ts';

/** Period of asking all users, each of whom makes digests for an answer. */
export const STATE_PERIOD_MS = 250;

export type StateAnswer = Pick<MessageOf<'document-state'>, 'state' | 'typing'>;

/**
 * Asks all users again and again until they agree.
 *
 * @param options.ask   the answers of all users, which must be there within this limit
 * @param options.endMs on the timer's clock: who is not asked by then has not agreed in time
 * @param options.restMs how long all must agree on the same document without a change; 0: seen once is enough
 * @param options.leastAnswerMs time that an answer may always take if it was asked for in time
 * @returns true if they agree; null if not all documents can be seen and the others agree
 * @throws what `ask` throws, and the signal's reason
 */
export async function untilAgreed(options: {
  ask: (limitMs: number) => Promise<readonly StateAnswer[]>;
  endMs: number;
  restMs?: number;
  leastAnswerMs: number;
  timer: Timer;
  signal: AbortSignal;
}): Promise<boolean | null> {
  const { ask, endMs, restMs = 0, leastAnswerMs, timer, signal } = options;
  let agreed: boolean | null = false;
  let rest = { digest: null as string | null, sinceMs: Number.NaN };
  while (timer.nowMs() < endMs) {
    const answers = await ask(Math.max(leastAnswerMs, endMs - timer.nowMs()));
    agreed = answers.some(({ typing }) => typing) ? false : agree(answers.map(({ state }) => state));
    if (agreed === true) {
      const digest = comparedDigest(answers[0]!.state);
      if (rest.digest !== digest) rest = { digest, sinceMs: timer.nowMs() };
      if (timer.nowMs() - rest.sinceMs >= restMs) break;
      agreed = false;
    } else rest.digest = null;
    await timer.until(timer.nowMs() + STATE_PERIOD_MS, signal);
  }
  return agreed;
}

/** One document everywhere: in each model, and of each user in editor and screen too. Null if not all can be seen. */
function agree(states: readonly DocumentState[]): boolean | null {
  const seen = states.filter((state) => comparedDigest(state) !== null);
  const same = seen.every(
    (state) =>
      comparedDigest(state) === comparedDigest(seen[0]!) &&
      state.editorDigest === state.shownModelDigest &&
      (state.editorTextDigest === null || state.screenTextDigest === state.editorTextDigest),
  );
  return same && seen.length < states.length ? null : same;
}

/** The digest to compare: of the model, or, if the model is not open, of the screen's text. Null: neither. */
function comparedDigest({ modelDigest, screenTextDigest }: DocumentState): string | null {
  return modelDigest ?? screenTextDigest;
}
