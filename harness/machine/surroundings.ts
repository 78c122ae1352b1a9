/** A trial's surroundings, asked for before it and after: its code, the clocks, other runs. */
import { uptime } from 'node:os';
import { nowMs } from '../../infra/clock.ts';
import { codeNow } from '../../infra/code.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import { otherRuns } from './other-runs.ts';

/** Fingerprints of sources that a person was told of. */
const told = new Set<string>();

/**
 * @param options.root the folder of the project whose processes run
 * @param options.say  hears, once for each change, that the sources are no longer those of the run
 */
export async function lookAround(options: {
  root?: string;
  say: (text: string) => void;
}): Promise<RecordOf<'surroundings'>> {
  const [{ isFirst: isCodeOfRun, ...code }, others] = await Promise.all([codeNow(options.root), otherRuns()]);
  if (!isCodeOfRun && !told.has(code.sources)) {
    told.add(code.sources);
    options.say(
      'warning: the sources of the project changed under this run, and processes that start from now on are of the new ones; leave the checkout alone until the run has ended, and run it again',
    );
  }
  return {
    ...{ type: 'surroundings', ...code, isCodeOfRun, otherRuns: others },
    ...{ atMs: nowMs(), wallMs: Date.now(), uptimeMs: uptime() * 1000 },
  };
}
