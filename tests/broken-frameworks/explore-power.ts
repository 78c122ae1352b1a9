/**
 * `node tests/broken-frameworks/explore-power.ts [part of a name…]`: how long `explore` takes on one core to find each broken
 * framework and each mutant, as a table.
 */
import { join } from 'node:path';
import { findFramework } from '../../frameworks/discover.ts';
import type { Cause, WorldCalls } from '../../frameworks/explore/world-process.ts';
import { CalledProcess } from '../../infra/process/calls.ts';
import { alignTable } from '../../results/text-table.ts';
import { EXPLORED } from './explored.ts';
import { MUTANTS } from './mutants.ts';

const LIMIT_MS = 60_000;
const ENTRY = join(import.meta.dirname, 'explore-main.ts');
const parts = process.argv.slice(2);
const names = [...EXPLORED, ...MUTANTS.map(({ name }) => name)];
const rows = [['control', 'found', 'worlds', 'seconds']];
for (const name of names.filter((each) => parts.length === 0 || parts.some((part) => each.includes(part)))) {
  const player = new CalledProcess<WorldCalls>({ entry: ENTRY });
  const startMs = performance.now();
  const why = await player.call('load', { name, kind: 'project', client: '', server: '' });
  const order = { from: 1, count: 1_000_000, limitMs: LIMIT_MS, causes: await knownCauses(name) };
  const { worlds, failed } = why === null ? await player.call('play', order) : { worlds: 0, failed: null };
  await player.end();
  const found = why ?? (failed === null ? 'no' : failed.broken.invariant);
  rows.push([name, found, String(worlds), ((performance.now() - startMs) / 1000).toFixed(1)]);
  console.error(rows.at(-1)!.join('  '), failed === null ? '' : `(${failed.broken.text.slice(0, 120)})`);
}
console.log(alignTable(rows));

/** Failures of the framework itself are no sign of its mutant. */
async function knownCauses(name: string): Promise<Cause[]> {
  const mutant = MUTANTS.find((each) => each.name === name);
  if (mutant === undefined) return [];
  const { knownIssues = [] } = (await findFramework(mutant.framework)).about;
  return knownIssues.flatMap(({ worlds }) => (worlds === undefined ? [] : [worlds]));
}
