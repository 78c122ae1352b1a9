/**
 * `npm run bench`: what this machine carries and what the harness costs. For each mode, more and more Yjs users until
 * throughput falls under 98 %; then the page's observation, probes among a crowd, the delay line, the editor that renders
 * nothing, and the analysis. Each trial is judged as any other.
 *
 * Flags: `--modes optquill,noquill` (all), `--step 2` (users more each time), `--from 2`, `--to 48`, `--warm-up 10s`,
 * `--measure 60s`, `--only users|observation|crowd|explore|sight|attach|delay-line|noquill|analysis`. `--modes` holds for crowd too, with
 * `--pairs 5`, `--frameworks yjs,collabs` (`recorded`: all that have recorded crowds), `--users 12`, `--rhythm human,jittered`,
 * `--batched` (senders gather edits) and `--keep`, which writes the summaries of all trials below `results/measured/`. `sight`
 * runs only where it is named, with `--frameworks`, `--users`, one `--rhythm`, `--measure` and `--pairs`; so does `attach`, with these,
 * `--warm-up` and one of `--modes` (node), and so does `explore`, with `--frameworks` and `--measure`.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchAnalysis, LARGE_RUN } from '../../analysis/analysis.bench.ts';
import { MIN_THROUGHPUT_PERCENT } from '../../analysis/figures/criterion.ts';
import type { ProfileShares } from '../../analysis/trial/profile-shares.ts';
import { benchNoQuill } from '../../editors/base/noquill/noquill.bench.ts';
import { benchSession } from '../../editors/base/page/session.bench.ts';
import { MODE_NAMES, MODES, type Mode } from '../../frameworks/modes.ts';
import { buildPage } from '../../frameworks/page-build.ts';
import { parseDuration } from '../../harness/experiment/units.ts';
import { userProfilesOf } from '../../harness/max/find-max.ts';
import { benchDelayLine } from '../../infra/network/delay-line.bench.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { benchAttach } from './attach.ts';
import { benchCrowd } from './crowd.ts';
import { benchExplore } from './explore.ts';
import { figure } from './rounds.ts';
import { type BenchCell, runCell } from './run-cell.ts';
import { benchSight } from './sight.ts';

const HEADINGS = [
  'users',
  'verdict',
  'throughput %',
  'local p50 ms',
  'end to end p50 ms',
  'p95',
  'first key after s',
  'driver ms/edit',
  'driver % of Chrome',
  'Chrome % of core/user',
  'MiB/user',
  'machine %',
];

const { values: flags } = parseArgs({
  options: {
    modes: { type: 'string', default: MODE_NAMES.join() },
    from: { type: 'string', default: '2' },
    to: { type: 'string', default: '48' },
    step: { type: 'string', default: '2' },
    'warm-up': { type: 'string', default: '10s' },
    measure: { type: 'string', default: '60s' },
    pairs: { type: 'string', default: '5' },
    frameworks: { type: 'string', default: 'yjs' },
    batched: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    users: { type: 'string', default: '12' },
    rhythm: { type: 'string', default: 'human' },
    only: { type: 'string' },
  },
});
/** As many users as the comparison has at most. */
const OBSERVED = { framework: 'yjs', mode: 'optquill', users: 8, warmUp: '10s', measure: '10s' };
const modes = flags.modes.split(',');
const durations = { warmUp: flags['warm-up'], measure: flags.measure };
const { batched, keep, measure, rhythm } = flags;
const people = { frameworks: flags.frameworks.split(','), users: Number(flags.users), pairs: Number(flags.pairs) };

/** In their order; those of `BY_NAME` run only if they are named. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  async users() {
    for (const mode of modes) await benchUsers(mode);
  },
  async observation() {
    const { users, framework } = OBSERVED;
    console.log(`\nThe page's main thread, ${users} users, ${framework}: % of its time by whose code ran`);
    const shares = await benchObservation(OBSERVED);
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
  async sight() {
    console.log(await benchSight({ ...people, rhythm, measure }));
  },
  async attach() {
    const mode = modes.length > 1 ? 'node' : modes[0]!;
    console.log(await benchAttach({ ...people, ...durations, mode, rhythm }));
  },
  async 'delay-line'() {
    console.log('\nThe delay line: error of the one-way delay, 100 connections × 50 messages per second');
    console.table(await benchDelayLine());
  },
  async noquill() {
    console.log('\nNoQuill, nanoseconds per call (median)');
    console.table(benchNoQuill());
    console.log('\nA remote edit in a document of 150,000 characters with 5,000 formatted runs, nanoseconds (median)');
    console.table(await benchSession());
  },
  async analysis() {
    console.log('\nThe analysis of one trial of 112 users, 370 s');
    console.table(await benchAnalysis({ frameworks: 1, trials: 1 }));
    console.log('\nThe analysis of 3 such trials of each of 4 frameworks');
    console.table(await benchAnalysis(LARGE_RUN));
  },
};
const BY_NAME = ['explore', 'sight', 'attach'];

const names = Object.keys(PARTS);
const wanted = flags.only === undefined ? names.filter((name) => !BY_NAME.includes(name)) : [flags.only];
if (!wanted.every((name) => names.includes(name)))
  throw new Error(`--only is one of ${names.join(', ')}, but this is "${flags.only}"`);
if (!(Number(flags.step) > 0)) throw new Error(`--step is a number above 0, but this is "${flags.step}"`);
for (const name of wanted) await PARTS[name]!();

async function benchUsers(mode: string): Promise<void> {
  console.log(`\n${mode}, Yjs: users until throughput falls under ${MIN_THROUGHPUT_PERCENT} %\n`);
  const rows: string[][] = [];
  for (let users = Number(flags.from); users <= Number(flags.to); users += Number(flags.step)) {
    const { cell, toFirstKeyMs } = await runCell({ framework: 'yjs', mode, users, ...durations });
    rows.push(formatRow(cell, toFirstKeyMs));
    console.log(
      alignTable([HEADINGS, ...rows])
        .split('\n')
        .at(-1),
    );
    for (const reason of [...cell.reasons, ...cell.notes]) console.log(`      ${reason}`);
    if ((cell.throughputPercent ?? 0) < MIN_THROUGHPUT_PERCENT) break;
  }
  console.log(`\n${alignTable([HEADINGS, ...rows])}`);
}

function formatRow(cell: CellSummary, toFirstKeyMs: number | null): string[] {
  const { userCpuPercent, driverCpuPercent, users } = cell;
  const share = userCpuPercent && driverCpuPercent ? (100 * driverCpuPercent) / (userCpuPercent * users) : null;
  return [
    String(users),
    cell.verdict,
    figure(cell.throughputPercent, 1),
    figure(cell.localLatencyMs.p50, 1),
    figure(cell.endToEndLatencyMs.p50, 0),
    figure(cell.endToEndLatencyMs.p95, 0),
    figure(toFirstKeyMs === null ? null : toFirstKeyMs / 1000, 1),
    figure(cell.driverCpuMsPerEdit, 2),
    figure(share, 1),
    figure(userCpuPercent, 1),
    figure(cell.userMemoryMiB, 0),
    figure(cell.machineCpuPercent, 0),
  ];
}

/** @returns one per profiled user: time that belongs to neither framework, editor nor browser is the page's own observation */
async function benchObservation(cell: BenchCell): Promise<ProfileShares[]> {
  const { directory } = await runCell({ ...cell, profile: '13s' });
  const trials = join(directory, 'trials');
  const [trial] = await readdir(trials);
  return userProfilesOf(join(trials, trial!), await buildPage());
}
