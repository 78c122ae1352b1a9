/**
 * The same cell at the trial's own server, and attached to one that was started by hand, by turns: attaching should cost neither the
 * server nor the users' bytes anything.
 */
import { join } from 'node:path';
import { areEquivalent } from '../../analysis/statistics/welch.ts';
import { byLine, Child, nodeCommand } from '../../infra/process/child.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { figure, runCell } from './run-cell.ts';

/** The ratio lies within 1 ÷ 1.02 and 1.02. */
const BOUND = 0.02;

interface AttachedCell {
  mode: string;
  users: number;
  rhythm: string;
  warmUp: string;
  measure: string;
}

export interface AttachBench extends AttachedCell {
  frameworks: readonly string[];
  pairs: number;
}

const WAYS = ['own', 'attached'] as const;
type Pair = Record<(typeof WAYS)[number], CellSummary>;

const FIGURES: Readonly<Record<string, (cell: CellSummary) => number | null>> = {
  'server CPU, %': (cell) => cell.serverCpuPercent,
  // A trial's own server has the harness's watch in its process, which attached ones are without.
  'server CPU less idle, %': ({ serverCpuPercent: cpu, serverIdleCpuPercent: idle }) =>
    cpu === null || idle === null ? null : cpu - idle,
  'user CPU, %': (cell) => cell.userCpuPercent,
  'sent by a user, KiB/s': (cell) => cell.userNetworkKiBps.sent,
  'received by a user, KiB/s': (cell) => cell.userNetworkKiBps.received,
};

const HEADINGS = [
  'framework',
  'figure',
  'pairs',
  ...WAYS,
  'attached ÷ own',
  '90 % interval',
  `within ${100 * BOUND} %`,
];

/** @returns a table: each figure both ways, their ratio with its interval, and if it is shown to be within the bound */
export async function benchAttach({ frameworks, pairs: count, ...cell }: AttachBench): Promise<string> {
  const rows: string[][] = [];
  for (const framework of frameworks) {
    const pairs: Pair[] = [];
    for (let seed = 1; seed <= count; seed++) {
      const measured: [string, CellSummary][] = [];
      // By turns the first: a machine that warms up favours nobody.
      for (const way of seed % 2 === 0 ? WAYS : WAYS.toReversed()) {
        const summary = await (way === 'own' ? measure : measureAttached)(framework, seed, cell);
        for (const reason of summary.reasons) console.error(`${framework}, ${way}, ${seed}: ${reason}`);
        measured.push([way, summary]);
      }
      pairs.push(Object.fromEntries(measured) as Pair);
    }
    const valid = pairs.filter((pair) => WAYS.every((way) => pair[way].verdict === 'valid'));
    for (const [name, of] of Object.entries(FIGURES)) rows.push([framework, name, ...compared(valid, of)]);
  }
  return alignTable([HEADINGS, ...rows]);
}

function compared(pairs: readonly Pair[], of: (cell: CellSummary) => number | null): string[] {
  const values = pairs.map(({ own, attached }): [number, number] => {
    return [of(own) ?? Number.NaN, of(attached) ?? Number.NaN];
  });
  const found = areEquivalent(values, BOUND);
  const mean = (way: 0 | 1) => {
    return values.length === 0 ? null : values.reduce((sum, pair) => sum + pair[way], 0) / values.length;
  };
  return [
    String(pairs.length),
    ...[figure(mean(0), 3), figure(mean(1), 3), figure(found?.ratio ?? null, 3)],
    found === null ? '–' : `${found.low.toFixed(3)} to ${found.high.toFixed(3)}`,
    found === null ? 'not known' : found.isWithin ? 'yes' : 'not shown',
  ];
}

async function measure(
  framework: string,
  seed: number,
  { rhythm, ...cell }: AttachedCell,
  servers: readonly object[] = [],
): Promise<CellSummary> {
  const variant = `${servers.length === 0 ? 'own' : 'attached'}-${seed}`;
  return (await runCell({ framework, seed, variant, servers, typing: { rhythm }, ...cell })).cell;
}

/** A server for each trial, as a trial has its own. */
async function measureAttached(framework: string, seed: number, cell: AttachedCell): Promise<CellSummary> {
  const address = Promise.withResolvers<string>();
  const server = new Child({
    command: nodeCommand(join(PROJECT_ROOT, 'servers/main.ts'), framework),
    onOutput: byLine((line) => {
      const url = /ws:\S+$/.exec(line)?.[0];
      if (url !== undefined) address.resolve(url);
    }),
  });
  server.ended.then(({ lastWords }) => address.reject(new Error(`the server of ${framework} ended: ${lastWords}`)));
  try {
    const url = await address.promise;
    return await measure(framework, seed, cell, [{ framework, url, pid: server.pid, joinEvery: '0s' }]);
  } finally {
    await server.stop();
  }
}
