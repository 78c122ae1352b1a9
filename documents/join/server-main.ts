/** One worker process of a trial's server. */
import { findFramework } from '../../frameworks/discover.ts';
import { loadServer } from '../../frameworks/framework.ts';
import { TreeCpu } from '../../harness/probes/process-tree.ts';
import { answerCalls } from '../../infra/process/answers.ts';
import { createRelay, type RelayServer } from '../../servers/relay.ts';
import type { FrameworkServer, RunningServer } from '../../servers/server.ts';
import type { JoinCell } from './cells.ts';

/** EtherCalc's number of commands between two snapshots. */
const MESSAGES_PER_SNAPSHOT = 100;

/** Reads what the server has taken of a core so far, ms; null if the system does not tell. */
let readCpuMs = (): number | null => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const calls = {
  /** Starts it on a free port of this machine, in this process; only addresses with the token are let in. */
  async start({ token, ...cell }: Pick<JoinCell, 'framework' | 'way'> & { token: string }) {
    const server = await serverOf(cell);
    const { port, child } = await server.start({ host: '127.0.0.1', port: 0, token });
    if (child !== undefined) follow(child);
    return { port, pid: child?.pid ?? process.pid };
  },
  /** CPU time of the server since it began, ms; null if the system does not tell. */
  cpuMs: async () => readCpuMs(),
};
export type ServerCalls = typeof calls;
answerCalls(calls);

/** Of a server that is a program of its own: this process ends with it, and says how. */
function follow({ pid, failed }: NonNullable<RunningServer['child']>): void {
  const cpu = new TreeCpu([pid]);
  readCpuMs = () => cpu.readMs();
  failed.then((how) => {
    console.error(`its process ${how}`);
    process.exit(1);
  });
}

/**
 * The framework’s server, with its relay in the way that is compared.
 *
 * @throws Error if the framework has no relay, or its relay saves no states
 */
async function serverOf({ framework, way }: Pick<JoinCell, 'framework' | 'way'>): Promise<FrameworkServer> {
  const own: FrameworkServer & Partial<RelayServer> = await loadServer(await findFramework(framework));
  if (way === 'deployed') return own;
  const { compact } = own;
  if (compact === undefined) throw new Error(`the server of ${framework} saves no states, so there is no "${way}"`);
  switch (way) {
    case 'backlog':
      return createRelay({ compact, compactEvery: Number.POSITIVE_INFINITY });
    case 'snapshots':
      return createRelay({ compact, compactEvery: MESSAGES_PER_SNAPSHOT });
    case 'state':
      return createRelay({ compact });
  }
}
