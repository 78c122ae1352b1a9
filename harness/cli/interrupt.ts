/** Ctrl-C, and the other signals that end a command in order. */

/** The person stopped it; the message says what is left. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/**
 * The first signal aborts with `message`; what must be stopped is then stopped, so a second one changes nothing.
 *
 * @param onInterrupt confirms the signal at once
 */
export function interruptOnSignals(message: string, onInterrupt: () => void): { signal: AbortSignal; release(): void } {
  const interrupted = new AbortController();
  const onSignal = () => {
    if (interrupted.signal.aborted) return;
    onInterrupt();
    interrupted.abort(new Interrupted(message));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: interrupted.signal,
    release() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
