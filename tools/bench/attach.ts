/**
 * The same cell at the trial's own server, and attached to one that runs already, by turns: attaching should cost neither the
 * server nor the users' bytes anything.
 */
import { cpus } from 'node:os';
import { keepBench } from '../../analysis/site/kept-runs.ts';
import { ServerProcess } from '../../harness/server/server-process.ts';
import { documentOf } from '../../harness/trial/assignments.ts';
import { createToken } from '../../infra/channel/token.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { alignTable } from '../../results/text-table.ts';
import { type BenchFigure, compareFigures, measureRounds } from './rounds.ts';
import { type BenchCell, runCell } from './run-cell.ts';

export interface AttachBench extends Pick<BenchCell, 'mode' | 'users' | 'warmUp' | 'measure'> {
  frameworks: readonly string[];
  rhythm: string;
  pairs: number;
  /** To be kept as the bench `attach-node`, by the mode. */
  keep: boolean;
}

const WAYS = ['own', 'attached'] as const;

const FIGURES = [
  figure('server CPU, %', (cell) => cell.serverCpuPercent),
  figure('user CPU, %', (cell) => cell.userCpuPercent),
  figure('sent by a user, KiB/s', (cell) => cell.userNetworkKiBps.sent),
  figure('received by a user, KiB/s', (cell) => cell.userNetworkKiBps.received),
];

function figure(name: string, of: BenchFigure['of']): BenchFigure {
  return { name, of, bound: 0.02 };
}

/** @returns a table: each figure both ways, their ratio with its interval, and what is shown of it */
export async function benchAttach({ frameworks, pairs, rhythm, keep, ...how }: AttachBench): Promise<string> {
  const columns = ['figure', ...WAYS, 'ratio', 'low', 'high', 'bound %', 'shown'];
  const rows: (string | number | null)[][] = [];
  for (const framework of frameworks) {
    const cell = { ...how, framework };
    const rounds = await measureRounds(WAYS, { count: pairs, label: framework }, async (way, seed) => {
      const more = { seed, typing: { rhythm } };
      const run = async (there: object) =>
        (await runCell({ ...cell, variant: `${way}-${seed}`, more: { ...more, ...there } })).cell;
      if (way === 'own') return run({});
      // The name that the trial's own server gets: some protocols say it in each message.
      const documents = [documentOf({ framework, users: how.users, trial: 1 })];
      return attached(framework, (server) => run({ servers: [server], documents }));
    });
    for (const { name, bound, means, found, shown } of compareFigures(FIGURES, rounds, WAYS)) {
      const figures = [...means, found?.ratio, found?.low, found?.high].map((value) =>
        value == null ? null : Number(value.toFixed(3)),
      );
      rows.push([`${framework}: ${name}`, ...figures, 100 * bound, shown]);
    }
  }
  if (keep) {
    const { users, mode, warmUp, measure } = how;
    const people = `${users} users at ${mode}, ${rhythm} times; ${warmUp} of warm-up and ${measure} measured, ${pairs} pairs`;
    await keepBench({
      name: `attach-${mode}`,
      measured: `${people}; ${cpus().length} cores of ${cpus()[0]!.model}`,
      columns,
      rows,
    });
  }
  return alignTable([columns, ...rows.map((row) => row.map((value) => String(value ?? '–')))]);
}

/** A server for each trial, as a trial has its own, started and watched as that one is. */
async function attached(framework: string, measure: (server: object) => Promise<CellSummary>): Promise<CellSummary> {
  const ended = Promise.withResolvers<never>();
  const server = new ServerProcess(framework, (how) => ended.reject(new Error(`the server of ${framework} ${how}`)));
  const token = createToken();
  try {
    const port = await server.listen({ address: '127.0.0.1', port: 0, token });
    // The project's servers name the document by the path, where the protocol may not; and some put the document's beginning in.
    const url = `ws://127.0.0.1:${port}/${token}/{document}`;
    return await Promise.race([
      measure({ framework, url, pid: server.pids()[0], joinEvery: '0s', write: true }),
      ended.promise,
    ]);
  } finally {
    await server.stop();
  }
}
