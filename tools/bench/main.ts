/**
 * `npm run bench`: what the harness costs on this machine. The driver and the page's observation of 8 Yjs users, probes among a
 * crowd, the editor that renders nothing, and the analysis. Each trial is judged as any other. How many users the machine carries,
 * `max` says; how late delay lines are, each trial.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { benchAnalysis, LARGE_RUN } from '../../analysis/analysis.bench.ts';
import { parseCount, parseTime, parseUsers } from '../../cli/parse-number.ts';
import { benchNoQuill } from '../../editors/base/noquill/noquill.bench.ts';
import { MODE_NAMES, MODES, type Mode } from '../../frameworks/modes.ts';
import { buildPage } from '../../frameworks/page-build.ts';
import { formatDuration, parseDuration } from '../../harness/experiment/units.ts';
import { userProfilesOf } from '../../harness/max/find-max.ts';
import { benchAttach } from './attach.ts';
import { benchCrowd } from './crowd.ts';
import { benchExplore, benchWorlds } from './explore.ts';
import { runCell } from './run-cell.ts';

/** In their order; those of `BY_NAME` run only if they are named. */
const PART_NAMES = ['observation', 'crowd', 'explore', 'worlds', 'attach', 'noquill', 'analysis'] as const;
type PartName = (typeof PART_NAMES)[number];
const BY_NAME: readonly PartName[] = ['explore', 'worlds', 'attach'];

const time = (text: string) => formatDuration(parseTime(text));
const flags = new Command('npm run bench --')
  .description('what the harness costs on this machine; crowd, attach, explore and worlds take the other options')
  .addOption(new Option('--only <part>', `one part (default: all but ${BY_NAME.join(', ')})`).choices(PART_NAMES))
  .option('--frameworks <names>', 'for crowd also recorded: all that have recorded crowds', 'yjs')
  .option('--modes <names>', 'for crowd, all with a page; for attach, one', MODE_NAMES.join())
  .option('--users <number>', 'of crowd and attach', parseUsers, 12)
  .option('--pairs <number>', 'how often crowd and attach measure both', parseCount, 5)
  .option('--rhythm <names>', 'of crowd, such as human,jittered; of attach, one', 'human')
  .option('--warm-up <time>', 'of each trial', time, '10s')
  .option('--measure <time>', 'of each trial; of explore and worlds, how long, such as 1h', time, '60s')
  .option('--batched', 'of crowd: senders gather edits', false)
  .option('--keep', 'keep what was measured below results/measured/', false)
  .parse()
  .opts<{
    only?: PartName;
    frameworks: string;
    modes: string;
    users: number;
    pairs: number;
    rhythm: string;
    warmUp: string;
    measure: string;
    batched: boolean;
    keep: boolean;
  }>();
/** As many users as the comparison has at most. */
const OBSERVED = { framework: 'yjs', mode: 'optquill', users: 8, warmUp: '10s', measure: '10s', profile: '13s' };
const modes = flags.modes.split(',');
const durations = { warmUp: flags.warmUp, measure: flags.measure };
const { batched, keep, measure, rhythm } = flags;
const people = { frameworks: flags.frameworks.split(','), users: flags.users, pairs: flags.pairs };

const PARTS: Readonly<Record<PartName, () => Promise<void>>> = {
  async observation() {
    const { users, framework } = OBSERVED;
    const { cell, directory } = await runCell(OBSERVED);
    const driverMs = cell.driverCpuMsPerEdit?.toFixed(2) ?? '–';
    console.log(`\nThe driver, ${users} users, ${framework}: ${driverMs} ms of CPU for each edit`);
    // Time that belongs to neither framework, editor nor browser is the page's own observation.
    console.log("\nIts page's main thread: % of the time by whose code ran");
    const [trial] = await readdir(join(directory, 'trials'));
    const shares = await userProfilesOf(join(directory, 'trials', trial!), await buildPage());
    console.table(shares.map(({ busyPercent, percentOf }) => ({ busyPercent, ...percentOf })));
  },
  async crowd() {
    console.log('\nProbes among a played crowd, beside the same users live in Node: is what they see the same?');
    for (const mode of modes.filter((name) => MODES[name as Mode].needsChrome))
      console.log(await benchCrowd({ ...people, mode, rhythms: rhythm.split(','), batched, keep, ...durations }));
  },
  async explore() {
    console.log(await benchExplore({ frameworks: people.frameworks, forMs: parseDuration(measure)! }));
  },
  async worlds() {
    console.log(await benchWorlds({ frameworks: people.frameworks, forMs: parseDuration(measure)!, keep }));
  },
  async attach() {
    const mode = modes.length > 1 ? 'node' : modes[0]!;
    console.log(await benchAttach({ ...people, ...durations, mode, rhythm, keep }));
  },
  async noquill() {
    console.log('\nAn edit in NoQuill, nanoseconds (median)');
    console.table(await benchNoQuill());
  },
  async analysis() {
    console.log('\nThe analysis of one trial of 112 users, 370 s');
    console.table(await benchAnalysis({ frameworks: 1, trials: 1 }));
    console.log('\nThe analysis of 3 such trials of each of 4 frameworks');
    console.table(await benchAnalysis(LARGE_RUN));
  },
};
const wanted = flags.only === undefined ? PART_NAMES.filter((name) => !BY_NAME.includes(name)) : [flags.only];
for (const name of wanted) await PARTS[name]();
