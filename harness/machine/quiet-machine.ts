/** Waits for a quiet machine: blocks of a campaign are not begun while other programs, or other machines, take its time. */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlockRecord } from '../../results/formats/run-directory.ts';
import { UserError } from '../../results/user-error.ts';
import { formatAbout } from '../experiment/units.ts';
import { checkCores, checkOthers } from './doctor.ts';
import { measureNoise } from './machine-noise.ts';
import { measureSpeed } from './machine-speed.ts';

export type SeenMachine = BlockRecord['sittings'][number]['machine'];

/** Long enough that a short task of the system is not taken for a busy machine. */
const WATCHED_MS = 5_000;
const PAUSE_MS = 20_000;
const PATIENCE_MS = 5 * 60_000;
/** As `ci` ends if nothing is known. */
const BUSY_EXIT_CODE = 5;

/** Looks at load, others' share, and then at the speed, which says little on a busy machine. */
async function lookAtMachine(): Promise<SeenMachine> {
  const { busyPercent, stealPercent } = await measureNoise(WATCHED_MS);
  return { speed: await measureSpeed(), load: loadavg()[0] ?? 0, busyPercent, stealPercent };
}

/** Reasons against measuring now. @param options.isOwnLoad the load is that of the trials before */
export function whyBusy(seen: SeenMachine, { isOwnLoad = false }: { isOwnLoad?: boolean } = {}): string[] {
  const cores = availableParallelism();
  const checks = [checkOthers(seen), ...(isOwnLoad || cores < 2 ? [] : [checkCores(cores, seen.load)])];
  return checks.flatMap(({ name, state, seen: text, advice }) =>
    state === 'good' ? [] : [`${name}: ${text} (${advice})`],
  );
}

/**
 * @param options.isOwnLoad true if this command's own trials have just ended
 * @param options.look      a part that tests replace, as `pauseMs` and `patienceMs`
 * @throws UserError (5) with what was seen, if the machine is still busy after some minutes; the signal's reason
 */
export async function awaitQuietMachine(options: {
  isOwnLoad: boolean;
  say: (text: string) => void;
  signal: AbortSignal;
  look?: typeof lookAtMachine;
  pauseMs?: number;
  patienceMs?: number;
}): Promise<SeenMachine> {
  const { isOwnLoad, say, signal, look = lookAtMachine, pauseMs = PAUSE_MS, patienceMs = PATIENCE_MS } = options;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const seen = await look();
    const why = whyBusy(seen, { isOwnLoad });
    if (why.length === 0) return seen;
    if (waitedMs >= patienceMs) {
      throw new UserError(
        `this machine is not quiet, so no block is begun: ${why.join('; ')}. The same command goes on when it is`,
        { exitCode: BUSY_EXIT_CODE },
      );
    }
    say(`Waiting for a quiet machine, ${formatAbout(patienceMs - waitedMs)} at most: ${why.join('; ')}`);
    await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
