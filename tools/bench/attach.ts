/**
 * The same cell at the trial's own server, and attached to one that was started by hand, by turns: attaching should cost neither the
 * server nor the users' bytes anything.
 */
import { join } from 'node:path';
import { byLine, Child, nodeCommand } from '../../infra/process/child.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { type BenchFigure, compareFigures, headingsOf, measureRounds, rowOf } from './rounds.ts';
import { type BenchCell, runCell } from './run-cell.ts';

export interface AttachBench extends Pick<BenchCell, 'mode' | 'users' | 'warmUp' | 'measure'> {
  frameworks: readonly string[];
  rhythm: string;
  pairs: number;
}

const WAYS = ['own', 'attached'] as const;

const FIGURES = [
  figure('server CPU, %', (cell) => cell.serverCpuPercent),
  // A trial's own server has the harness's watch in its process, which attached ones are without.
  figure('server CPU less idle, %', ({ serverCpuPercent: cpu, serverIdleCpuPercent: idle }) =>
    cpu === null || idle === null ? null : cpu - idle,
  ),
  figure('user CPU, %', (cell) => cell.userCpuPercent),
  figure('sent by a user, KiB/s', (cell) => cell.userNetworkKiBps.sent),
  figure('received by a user, KiB/s', (cell) => cell.userNetworkKiBps.received),
];

function figure(name: string, of: BenchFigure['of']): BenchFigure {
  return { name, of, bound: 0.02 };
}

/** @returns a table: each figure both ways, their ratio with its interval, and what is shown of it */
export async function benchAttach({ frameworks, pairs, rhythm, ...how }: AttachBench): Promise<string> {
  const rows: string[][] = [['framework', ...headingsOf(...WAYS)]];
  for (const framework of frameworks) {
    const cell = { ...how, framework };
    const rounds = await measureRounds(WAYS, { count: pairs, label: framework }, async (way, seed) => {
      const more = { seed, typing: { rhythm } };
      const run = async (there: object) =>
        (await runCell({ ...cell, variant: `${way}-${seed}`, more: { ...more, ...there } })).cell;
      if (way === 'own') return run({});
      // The name that the trial's own server gets: some protocols say it in each message.
      const documents = [`${framework}-${how.mode}-${how.users}-1`];
      return attached(framework, (server) => run({ servers: [server], documents }));
    });
    for (const compared of compareFigures(FIGURES, rounds, WAYS)) rows.push([framework, ...rowOf(compared)]);
  }
  return alignTable(rows);
}

/** A server for each trial, as a trial has its own. */
async function attached(framework: string, measure: (server: object) => Promise<CellSummary>): Promise<CellSummary> {
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
    // The project's servers name the document by the path, where the protocol may not; and some put the document's beginning in.
    const url = `${await address.promise}/{document}`;
    return await measure({ framework, url, pid: server.pid, joinEvery: '0s', write: true });
  } finally {
    await server.stop();
  }
}
