/** The driver's share of a busy CPU: what types must not wait for what it types into. */
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Three times the share of a process beside it (the kernel gives 1.25 times as much for each step). */
const DRIVER_STEPS = 5;
/** Users who are the load for others have computers of their own: nothing that is measured may make them wait. */
export const CROWD_STEPS = 19;
/** Where Linux groups processes by session, shares are between sessions first: Chrome is in one of its own. */
const SESSION = '/proc/self/autogroup';

/**
 * Puts this process before others, where its account may: root, or with CAP_SYS_NICE. Call it after Chrome was started, for
 * children inherit it.
 *
 * @param options.steps of nice value; as a driver of measured users unless told otherwise
 * @param options.set for tests
 * @returns its nice value then, which its record tells
 */
export function putBeforeOthers({
  steps = DRIVER_STEPS,
  set = setPriority,
}: {
  steps?: number;
  set?: (priority: number) => void;
} = {}): number {
  const wanted = getPriority() - steps;
  try {
    set(wanted);
    writeFileSync(SESSION, String(wanted));
  } catch {
    // Without the right it is as it was; and not every kernel has such groups.
  }
  return getPriority();
}
