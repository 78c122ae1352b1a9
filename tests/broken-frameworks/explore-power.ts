/**
 * `node tests/broken-frameworks/explore-power.ts [part of a name…]`: how long `explore` takes on one core to find each broken
 * framework, each mutant and each bug that a library once had, as a table.
 */
import { join } from 'node:path';
import { admitAll } from '../../frameworks/admit.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { type Cause, knownCausesOf } from '../../frameworks/explore/causes.ts';
import { readyBacking } from '../../frameworks/explore/explorable.ts';
import { ONE_IN_MEMORY, type WorldBacking } from '../../frameworks/explore/world.ts';
import type { WorldCalls } from '../../frameworks/explore/world-process.ts';
import type { Loadable } from '../../frameworks/framework.ts';
import { CalledProcess } from '../../infra/process/calls.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { alignTable } from '../../results/text-table.ts';
import { EXPLORED } from './explored.ts';
import { MUTANTS } from './mutants.ts';

interface Control {
  entry: string;
  framework: Loadable;
  /** Failures of the framework itself are no sign of what is looked for. */
  causes: readonly Cause[];
  backing: WorldBacking;
}

const LIMIT_MS = 60_000;
/** Libraries with a bug, and with its mend: hocuspocus#1151. */
const VERSIONS = ['yjs-hocuspocus@4.6.0', 'yjs-hocuspocus@4.7.0'];
const THREE_SERVERS: WorldBacking = { servers: 3, hasStore: false };
/** Another bug of these, mended in 4.8.0: who leaves soon after a break comes back, and stays connected. Together with what is known. */
const OTHERS: Cause = {
  invariants: ['one-connection', 'agree', 'kept', 'deleted', 'newcomer'],
  after: ['leave', 'reload', 'crash', 'cut', 'close', 'restart', 'apart', 'broker'],
};
const parts = process.argv.slice(2);
const names = [...EXPLORED, ...MUTANTS.map(({ name }) => name), ...VERSIONS];
const rows = [['control', 'found', 'worlds', 'seconds']];
for (const name of names.filter((each) => parts.length === 0 || parts.some((part) => each.includes(part)))) {
  const { entry, framework, causes, backing } = await (VERSIONS.includes(name) ? versionOf(name) : brokenOf(name));
  const player = new CalledProcess<WorldCalls>({ entry });
  const startMs = performance.now();
  const why = await player.call('load', framework, backing);
  const order = { from: 1, count: 1_000_000, limitMs: LIMIT_MS, backing, causes };
  const { worlds, failed } = why === null ? await player.call('play', order) : { worlds: 0, failed: null };
  await player.end();
  const found = why ?? (failed === null ? 'no' : failed.broken.invariant);
  rows.push([name, found, String(worlds), ((performance.now() - startMs) / 1000).toFixed(1)]);
  console.error(rows.at(-1)!.join('  '), failed === null ? '' : `(${failed.broken.text.slice(0, 120)})`);
}
console.log(alignTable(rows));

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
  const [found] = await admitAll([name], { from: PROJECT_ROOT });
  const { kind, client, server, about } = found!;
  await readyBacking(found!, THREE_SERVERS);
  return {
    entry: join(PROJECT_ROOT, 'frameworks/explore/main.ts'),
    framework: { name, kind, client, server },
    causes: [...knownCausesOf(about), OTHERS],
    backing: THREE_SERVERS,
  };
}
