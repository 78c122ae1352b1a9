/** Clearing up after an error: the message is about the first error. */

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
