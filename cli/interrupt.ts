/** Ctrl-C, and the other signals that end a command in order. */

/** The person stopped it; the message says what is left. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}

/** A signal that comes twice at once, as from a terminal and from a program between, is one. */
const ONE_SIGNAL_MS = 500;
const ENDED_AT_ONCE =
  'Ended at once. What it started ends by itself within seconds; the next command here clears up what is left.';

/** As the launcher found it: Node forgets that nohup had it ignore the end of its terminal. */
const OUTLIVES_TERMINAL = process.env.SCRIPTORIUM_NOHUP !== undefined;

/** To be called once, first of all: as nohup asks, this process then ignores that its terminal is closed. */
export function outliveTerminal(): void {
  if (OUTLIVES_TERMINAL) process.on('SIGHUP', () => {});
}

/**
 * The first signal aborts with `message`, so that everything running can stop in order. A second signal ends the command at
 * once, for a person who does not want to wait.
 *
 * `release` is called when nothing is left to stop. After an interruption, signals still end the command at once with the
 * code of an interruption, while it prints its last words.
 *
 * @param onInterrupt confirms the signal at once
 * @param settings    parts that tests replace
 */
export function interruptOnSignals(
  message: string,
  onInterrupt: () => void,
  settings: { endAtOnce?: () => void } = {},
): { signal: AbortSignal; release(): void } {
  const { endAtOnce = exitAtOnce } = settings;
  const interrupted = new AbortController();
  let interruptedMs: number | null = null;
  const onSignal = () => {
    if (interruptedMs !== null) {
      if (performance.now() - interruptedMs >= ONE_SIGNAL_MS) endAtOnce();
      return;
    }
    interruptedMs = performance.now();
    onInterrupt();
    interrupted.abort(new Interrupted(message));
  };
  const signals = ['SIGINT', 'SIGTERM', ...(OUTLIVES_TERMINAL ? [] : ['SIGHUP'])];
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: interrupted.signal,
    release() {
      if (interruptedMs !== null) return;
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

/**
 * Runs a function that the first of such signals aborts.
 *
 * @param text.message the last words
 * @param text.confirm says at once that the signal was taken
 */
export async function runInterruptibly<T>(
  text: { message: string; confirm: () => void },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupt = interruptOnSignals(text.message, text.confirm);
  try {
    return await run(interrupt.signal);
  } finally {
    interrupt.release();
  }
}

/** For commands that keep nothing. */
export const STOPPING = { message: 'Interrupted.', confirm: () => console.error('Stopping every process…') };

function exitAtOnce(): never {
  console.error(ENDED_AT_ONCE);
  process.exit(130);
}
