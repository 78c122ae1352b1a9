/** A process and all that it started, as long as they stay together. */
import { setTimeout } from 'node:timers/promises';
import { isAlive } from '../../results/run-folder/is-alive.ts';
import { allProcessStats } from './stat.ts';

const PERIOD_MS = 20;

/**
 * Resolves when no process of the group is left: its first may end before the others, such as Chrome before its zygotes.
 *
 * @param group   the process id of its first process
 * @param limitMs what is left after it is killed
 */
export async function untilGroupEnds(group: number, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (isRunning(group)) {
    if (performance.now() >= endMs) return killGroup(group);
    await setTimeout(PERIOD_MS);
  }
}

/** At once, and without a word where it is gone. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** Where the kernel lists processes, those do not count that ended and that nobody has asked after. */
function isRunning(group: number): boolean {
  if (!isAlive(-group)) return false;
  if (process.platform !== 'linux') return true;
  return allProcessStats().some((each) => each.group === group && !each.ended);
}
