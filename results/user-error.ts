/** An error that a person can act on: its message says what is wrong, the value seen, what is valid and what to do. */
export class UserError extends Error {
  readonly exitCode: 1 | 2 | 3 | 5;
  /** @param options.exitCode of bad input, 2, unless it is something else; for 3 take `Unavailable` */
  constructor(message: string, options: { exitCode?: 1 | 2 | 3 | 5; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'UserError';
    this.exitCode = options.exitCode ?? 2;
  }
}

/** Something that is needed is missing here, refuses, or is gone. */
export class Unavailable extends UserError {
  constructor(message: string, { cause }: { cause?: unknown } = {}) {
    super(message, { exitCode: 3, cause });
  }
}

/** The message of anything that was thrown. Of a host whose addresses all failed, Node gives none: then those of each. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/**
 * Clears up because something failed, or was interrupted, and throws that error on. Where clearing up fails too, that is
 * only said, so that it hides nothing.
 *
 * @param options.say for what a person should know
 * @throws `error`, always
 */
export async function clearUpAfter(
  error: unknown,
  options: { clearUp: () => Promise<void>; say: (text: string) => void },
): Promise<never> {
  try {
    await options.clearUp();
  } catch (second) {
    options.say(`And in the end: ${(second as Error).message}`);
  }
  throw error;
}
