/** One worker process of a trial's server. */

import { createTreeCpu } from '../../harness/probes/process-tree.ts';
import { answerCalls } from '../../infra/process/calls.ts';
import type { RunningServer } from '../../servers/server.ts';
import type { ServerCalls } from './calls.ts';
import { serverOf } from './relay-ways.ts';

/** Reads what the server has taken of a core so far, ms. */
let readCpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

answerCalls<ServerCalls>({
  async start({ token, ...cell }) {
    const server = await serverOf(cell);
    const { port, child } = await server.start({ host: '127.0.0.1', port: 0, token });
    if (child !== undefined) follow(child);
    return { port, pid: child?.pid ?? process.pid };
  },
  cpuMs: async () => readCpuMs(),
});

/** Of a server that is a program of its own: this process ends with it, and says how. */
function follow({ pid, failed }: NonNullable<RunningServer['child']>): void {
  readCpuMs = createTreeCpu(pid, process.pid).readMs;
  failed.then((how) => {
    console.error(`its process ${how}`);
    process.exit(1);
  });
}
