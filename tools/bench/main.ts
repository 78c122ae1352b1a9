/**
 * `npm run bench`: what the harness costs on this machine. The driver and the page's observation of 8 Yjs users, probes among a
 * crowd, the delay line, the editor that renders nothing, and the analysis. Each trial is judged as any other. How many users the
 * machine carries, `max` says.
 *
 * Flags: `--only observation|crowd|explore|worlds|attach|delay-line|noquill|analysis`. For crowd: `--modes optquill,noquill` (all with a
 * page), `--warm-up 10s`, `--measure 60s`, `--pairs 5`, `--frameworks yjs,collabs` (`recorded`: all that have recorded crowds),
 * `--users 12`, `--rhythm human,jittered`, `--batched` (senders gather edits) and `--keep`, which writes the summaries of all trials
 * below `results/measured/`. These run only where they are named: `attach`, with these but `--batched`, one `--rhythm` and one of
 * `--modes` (node); `explore`, with `--frameworks` and `--measure`; `worlds`, with these, such as `1h`. The tables of
 * `attach` and `worlds` go with `--keep` into `results/measured/benches.json`.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchAnalysis, LARGE_RUN } from '../../analysis/analysis.bench.ts';
import { benchNoQuill } from '../../editors/base/noquill/noquill.bench.ts';
import { benchSession } from '../../editors/base/page/session.bench.ts';
import { MODE_NAMES, MODES, type Mode } from '../../frameworks/modes.ts';
import { buildPage } from '../../frameworks/page-build.ts';
import { parseDuration } from '../../harness/experiment/units.ts';
import { userProfilesOf } from '../../harness/max/find-max.ts';
import { benchDelayLine } from '../../infra/network/delay-line.bench.ts';
import { benchAttach } from './attach.ts';
import { benchCrowd } from './crowd.ts';
import { benchExplore, benchWorlds } from './explore.ts';
import { figure } from './rounds.ts';
import { runCell } from './run-cell.ts';

const { values: flags } = parseArgs({
  options: {
    modes: { type: 'string', default: MODE_NAMES.join() },
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
const OBSERVED = { framework: 'yjs', mode: 'optquill', users: 8, warmUp: '10s', measure: '10s', profile: '13s' };
const modes = flags.modes.split(',');
const durations = { warmUp: flags['warm-up'], measure: flags.measure };
const { batched, keep, measure, rhythm } = flags;
const people = { frameworks: flags.frameworks.split(','), users: Number(flags.users), pairs: Number(flags.pairs) };

/** In their order; those of `BY_NAME` run only if they are named. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  async observation() {
    const { users, framework } = OBSERVED;
    const { cell, directory } = await runCell(OBSERVED);
    console.log(
      `\nThe driver, ${users} users, ${framework}: ${figure(cell.driverCpuMsPerEdit, 2)} ms of CPU for each edit`,
    );
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
const BY_NAME = ['explore', 'worlds', 'attach'];

const names = Object.keys(PARTS);
const wanted = flags.only === undefined ? names.filter((name) => !BY_NAME.includes(name)) : [flags.only];
if (!wanted.every((name) => names.includes(name)))
  throw new Error(`--only is one of ${names.join(', ')}, but this is "${flags.only}"`);
for (const name of wanted) await PARTS[name]!();
