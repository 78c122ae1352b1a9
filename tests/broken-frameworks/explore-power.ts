/**
 * `node tests/broken-frameworks/explore-power.ts [part of a name…]`: how long `explore` takes on one core to find each broken
 * framework, each mutant, each known issue of a library, and a bug that a later version mends, as a table. `--keep` writes it
 * to `results/measured/benches.json`, as the bench `explore-controls`, or those that are named into its rows.
 */
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { keepBench, readBenches } from '../../analysis/site/kept-runs.ts';
import { admitAll } from '../../frameworks/admit.ts';
import { discoverFrameworks, findFramework } from '../../frameworks/discover.ts';
import { type Cause, knownCausesOf } from '../../frameworks/explore/causes.ts';
import { backingFor, NotExplored, readyBacking, whyNotExplored } from '../../frameworks/explore/explorable.ts';
import { type Player, withPlayer } from '../../frameworks/explore/player.ts';
import { ONE_IN_MEMORY, SERVERS_FAULTS, type WorldBacking } from '../../frameworks/explore/world.ts';
import type { Batch } from '../../frameworks/explore/world-process.ts';
import type { Framework, Loadable } from '../../frameworks/framework.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { alignTable } from '../../results/text-table.ts';
import { EXPLORED } from './explored.ts';
import { MUTANTS } from './mutants.ts';

interface Control {
  /** Absent: that of frameworks. */
  entry?: string;
  framework: Loadable;
  /** Failures of the framework itself are no sign of what is looked for. */
  causes: readonly Cause[];
  /** Of failures only those that it explains are such a sign; absent: all are. */
  issue?: Cause;
  backing: WorldBacking;
}

const KEPT = 'explore-controls';
const LIMIT_MS = 60_000;
/** Libraries with a bug, and with its mend: hocuspocus#1151. */
const VERSIONS = ['yjs-hocuspocus@4.6.0', 'yjs-hocuspocus@4.7.0'];
const THREE_SERVERS: WorldBacking = { servers: 3, hasStore: false };
/** Another bug of these, mended in 4.8.0: who leaves soon after a break comes back, and stays connected. Together with what is known. */
const OTHERS: Cause = {
  invariants: ['one-connection', 'agree', 'kept', 'deleted', 'newcomer'],
  after: ['leave', 'reload', 'crash', 'cut', 'stall', 'close', 'restart', 'apart', 'broker'],
};
const { values: flags, positionals: parts } = parseArgs({
  options: { keep: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const controls: readonly { name: string; open: () => Promise<Control> }[] = [
  ...[...EXPLORED, ...MUTANTS.map(({ name }) => name)].map((name) => ({ name, open: () => brokenOf(name) })),
  ...VERSIONS.map((name) => ({ name, open: () => versionOf(name) })),
  ...(await discoverFrameworks()).filter(({ about }) => whyNotExplored(about) === null).flatMap(issuesOf),
];
const columns = ['control', 'found', 'worlds', 'seconds'];
const rows: (string | number | null)[][] = [];
const notExplored: string[] = [];
for (const { name, open } of controls) {
  if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue;
  try {
    rows.push([name, ...(await look(await open()))]);
  } catch (error) {
    if (!(error instanceof NotExplored)) throw error;
    notExplored.push(`${name} (${error.why})`);
  }
}
console.log(alignTable([columns, ...rows.map((row) => row.map((value) => String(value ?? 'no')))]));
const notes = notExplored.length > 0 ? [`not explored: ${notExplored.join(', ')}`] : [];
for (const note of notes) console.log(note);
if (flags.keep) {
  const conditions = `one core of ${cpus()[0]!.model}, at most ${LIMIT_MS / 1000} s for each, from seed 1`;
  const before = parts.length === 0 ? undefined : (await readBenches()).find(({ name }) => name === KEPT);
  const measured =
    before === undefined ? [conditions, ...notes] : [before.measured, `${parts.join(', ')}: ${conditions}`];
  const all = new Map([...(before?.rows ?? []), ...rows].map((row) => [row[0], row]));
  // In the order of the controls.
  const ordered = controls.flatMap(({ name }) => (all.has(name) ? [all.get(name)!] : []));
  await keepBench({ name: KEPT, measured: measured.join('; '), columns, rows: ordered });
}

/** @returns the invariant that broke, or null; how many worlds that took; and how many seconds */
async function look(control: Control): Promise<(string | number | null)[]> {
  const startMs = performance.now();
  const { signal } = new AbortController();
  const { worlds, failed } = await withPlayer(control.framework, { ...control, signal }, (player) =>
    firstSign(player, control),
  );
  const seconds = Number(((performance.now() - startMs) / 1000).toFixed(1));
  console.error(control.framework.name, worlds, seconds, failed === null ? '' : failed.broken.text.slice(0, 120));
  return [failed === null ? null : `\`${failed.broken.invariant}\``, worlds, seconds];
}

/** Plays worlds until the first sign of what is looked for, or the limit. */
async function firstSign(player: Player, { causes, issue }: Control): Promise<Pick<Batch, 'worlds' | 'failed'>> {
  const untilMs = performance.now() + LIMIT_MS;
  for (let played = 0; ; ) {
    const order = { from: played + 1, limitMs: Math.max(0, untilMs - performance.now()) };
    const { worlds, failed } = await player.call('play', { ...order, count: 1_000_000, causes });
    played += worlds;
    if (failed === null || issue === undefined) return { worlds: played, failed };
    const again = { from: played, limitMs: LIMIT_MS, count: 1, causes: [issue] };
    const { explained } = await player.call('play', again);
    if (explained[0] === 1) return { worlds: played, failed };
  }
}

async function brokenOf(name: string): Promise<Control> {
  const mutant = MUTANTS.find((each) => each.name === name);
  const mutated = mutant === undefined ? null : await findFramework(mutant.framework);
  const backing = mutant?.backing ?? ONE_IN_MEMORY;
  if (mutated !== null) await readyBacking(mutated, backing);
  return {
    entry: join(import.meta.dirname, 'explore-main.ts'),
    framework: { name, kind: 'project', client: '', server: '' },
    causes: mutated === null ? [] : knownCausesOf(mutated.about),
    backing,
  };
}

async function versionOf(name: string): Promise<Control> {
  const framework = (await admitAll([name], { from: PROJECT_ROOT }))[0]!;
  await readyBacking(framework, THREE_SERVERS);
  return { framework, causes: [...knownCausesOf(framework.about), OTHERS], backing: THREE_SERVERS };
}

/** Each known issue that worlds can meet. */
function issuesOf({ name, version, about }: Framework) {
  const all = knownCausesOf(about);
  return all.map((issue) => ({
    name: `${name} ${version}: ${issue.summary}`,
    async open(): Promise<Control> {
      const framework = (await admitAll([name], { from: PROJECT_ROOT }))[0]!;
      const isAmongServers =
        issue.areSeveral ?? issue.after.some((kind) => SERVERS_FAULTS.some((fault) => fault === kind));
      const asked = { servers: isAmongServers ? 3 : 1, hasStore: issue.hasStore ?? issue.waitsForStore ?? false };
      const backing = backingFor(about, asked);
      await readyBacking(framework, backing);
      return { framework, causes: all.filter((each) => each !== issue), issue, backing };
    },
  }));
}
