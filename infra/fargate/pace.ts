/** How patient the calls to AWS are. A test has less time than Fargate takes. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Between two looks at the same tasks. */
  pollMs: number;
  /** Before the first retry of something that failed; doubles with each. */
  backOffMs: number;
  /** From RunTask to RUNNING under a public address: a place, a network interface, and the pull of an image of a gigabyte. */
  startLimitMs: number;
  /** From StopTask to STOPPED: the stop timeout of 120 s, and some more for the network interface. */
  stopLimitMs: number;
  /** From a call to CloudFormation to its end; a stack takes about two minutes, and its deletion waits for network interfaces. */
  stackLimitMs: number;
}

export const FARGATE_PACE: Pace = {
  pollMs: 3000,
  backOffMs: 5000,
  startLimitMs: 600_000,
  stopLimitMs: 300_000,
  stackLimitMs: 1_800_000,
};

/** Context of all that takes its time on AWS. */
export interface Patience {
  pace: Pace;
  signal?: AbortSignal;
  /** Tells a person what is going on. */
  say(message: string): void;
}

/** The longest wait between retries, whatever the number of the try. */
const LONGEST_BACK_OFF_MS = 60_000;

/** Waits before the next try; longer each time. @throws the signal's reason if it aborts before */
export async function backOff({ pace, signal }: Omit<Patience, 'say'>, tries: number): Promise<void> {
  await pause(Math.min(pace.backOffMs * 2 ** tries, LONGEST_BACK_OFF_MS), signal);
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error) => {
    throw signal?.aborted ? signal.reason : error;
  });
}

/** Asks again and again until it is so, or the time is over. @returns false if the time is over */
export async function untilSo(
  { pace, signal }: Omit<Patience, 'say'>,
  limitMs: number,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const giveUpMs = performance.now() + limitMs;
  while (true) {
    signal?.throwIfAborted();
    if (await check()) return true;
    if (performance.now() >= giveUpMs) return false;
    await pause(pace.pollMs, signal);
  }
}
