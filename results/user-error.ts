/** An error that a person can act on: its message says what is wrong, the value seen, what is valid and what to do. */
export class UserError extends Error {
  readonly exitCode: 1 | 2 | 3;
  constructor(message: string, options: { exitCode: 1 | 2 | 3; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'UserError';
    this.exitCode = options.exitCode;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
