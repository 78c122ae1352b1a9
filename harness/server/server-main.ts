/**
 * The process of a framework's server in a trial, or of the gate before a server that is a program of its own:
 * `node harness/server/server-main.ts yjs`, called by `server-process.ts`. The server's own code knows nothing of the trial.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { findFramework } from '../../frameworks/discover.ts';
import { loadServer } from '../../frameworks/framework.ts';
import { nowMs } from '../../infra/clock.ts';
import { answerCalls, newsTo } from '../../infra/process/answers.ts';
import type { RunningServer } from '../../servers/server.ts';
import { writtenBytes } from '../probes/disk.ts';
import { collectGarbage, ownCpuMs, SocketTraffic, takeCpuProfile, watchLoopDelay } from '../probes/this-process.ts';
import { keepsFiles, type ServerCalls, type ServerNews } from './server-calls.ts';

/** Period of reports; a killed server loses at most one. */
const REPORT_PERIOD_MS = 250;

const tell = newsTo<ServerNews>();
const [name = ''] = process.argv.slice(2);
// Beforehand, so that it listens as soon as it is called; a failure is told then.
const loaded = findFramework(name).then(loadServer);
loaded.catch(() => {});
let running: RunningServer | null = null;
/** While it takes no connections. */
let isShut = false;
/** Of every connection that this process accepts, whichever library does: Node tells of each. */
const traffic = new SocketTraffic();

answerCalls<ServerCalls>(
  {
    async listen({ address, port, token, backing }) {
      const server = await loaded;
      subscribe('net.server.socket', (message) => follow((message as { socket: Socket }).socket));
      const takeDelays = watchLoopDelay();
      const files = keepsFiles(backing) ? watchFiles() : null;
      running = await server.start({ host: address, port, token, backing });
      running.child?.failed.then((how) => tell('failed', how));
      const report = () => {
        const counted = { ...traffic.read(), cpuMs: ownCpuMs(), fileBytes: files?.writtenBytes() ?? null };
        tell('report', { atMs: nowMs(), ...counted, delays: takeDelays() });
      };
      setInterval(files === null ? report : () => files.leaveOut(report), REPORT_PERIOD_MS);
      return { port: running.port, program: running.child?.pid ?? null };
    },
    async profile(durationMs) {
      if (running === null) throw new Error('the server is down');
      // A profiler sees only its own process, not another program.
      return running.child === undefined ? takeCpuProfile(durationMs) : null;
    },
    async drop(forMs) {
      isShut = true;
      traffic.cut();
      await new Promise((resolve) => setTimeout(resolve, forMs));
      isShut = false;
    },
    async collect() {
      if (running?.child === undefined) await collectGarbage();
    },
  },
  async () => running?.stop(),
);

/** Tells what this process writes to files: not to its sockets, those of users and those to other servers, nor to the harness. */
function watchFiles() {
  const outgoing = new SocketTraffic();
  subscribe('net.client.socket', (message) => outgoing.add((message as { socket: Socket }).socket));
  let leftOut = 0;
  return {
    writtenBytes(): number | null {
      const bytes = writtenBytes();
      return bytes === null ? null : bytes - leftOut - traffic.read().sentBytes - outgoing.read().sentBytes;
    },
    leaveOut(write: () => void): void {
      const before = writtenBytes() ?? 0;
      write();
      leftOut += (writtenBytes() ?? 0) - before;
    },
  };
}

function follow(socket: Socket): void {
  if (isShut) socket.destroy();
  else traffic.add(socket);
}
