/** Lets code wait for a condition, which is looked at whenever something has changed. */

export class Changes {
  readonly #watchers = new Set<() => void>();

  /** Something has changed that somebody may wait for. */
  happened(): void {
    for (const check of this.#watchers) check();
  }

  /**
   * Resolves once the condition holds.
   *
   * @throws the signal's reason if it aborts before, or has
   */
  until(condition: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#watchers.delete(check);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const check = () => condition() && end(resolve);
      const onAbort = () => end(() => reject(signal.reason));
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort);
      this.#watchers.add(check);
      check();
    });
  }
}
