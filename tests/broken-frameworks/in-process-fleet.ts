/**
 * A fleet whose processes are in this one: the framework's real server, and users without a browser. The coordinator, its
 * connections, typist, schedule, editors and sessions are real.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { SocketTraffic } from '../../harness/probes/this-process.ts';
import { type ControlConnection, connectToCoordinator } from '../../harness/trial/control-connection.ts';
import { CONTROL_URL_VARIABLE, tokenOf } from '../../harness/trial/protocol.ts';
import { nowMs } from '../../infra/clock.ts';
import { type Fleet, LOOPBACK } from '../../infra/fleet.ts';
import { SCHEMA_VERSION } from '../../results/formats/records.ts';
import type { RunningServer } from '../../servers/server.ts';
import type { BrokenFramework } from './broken-framework.ts';
import { runNodeUser, type UserThread } from './node-user.ts';

export function inProcessFleet(framework: BrokenFramework): Fleet {
  const connections: ControlConnection[] = [];
  const threads: Worker[] = [];
  let server: RunningServer | null = null;
  let serverEnds: NodeJS.Timeout | undefined;

  async function startServer(url: string): Promise<void> {
    const control = await connectToCoordinator({ url, user: null });
    connections.push(control);
    server = await framework.server.start({ host: '127.0.0.1', port: 0, token: tokenOf(url) });
    const running = server;
    const traffic = trafficOf(running.port);
    if (framework.serverEndsAfterMs !== undefined) {
      serverEnds = setTimeout(() => {
        // As the process beside a server tells of its end.
        control.send({ type: 'failed', message: 'its process ended by itself', by: 'framework' });
        control.close();
        running.stop();
      }, framework.serverEndsAfterMs);
    }
    // Not awaited: it goes on until the trial ends.
    followOrders(control, server.port, traffic).catch(() => {});
  }

  async function startUsers(url: string, first: number, count: number): Promise<void> {
    for (let user = first; user < first + count; user++) {
      if (framework.usersInThreads !== undefined) {
        const workerData: UserThread = { url, user, framework: framework.usersInThreads };
        threads.push(new Worker(new URL('./user-thread.ts', import.meta.url), { workerData }));
        continue;
      }
      const control = await connectToCoordinator({ url, user });
      connections.push(control);
      runNodeUser(framework, user, control);
    }
  }

  return {
    network: LOOPBACK,
    async launch(job) {
      const url = job.environment[CONTROL_URL_VARIABLE]!;
      const argument = (name: string) => Number(job.arguments[job.arguments.indexOf(name) + 1]);
      if (job.name === 'server') await startServer(url);
      else await startUsers(url, argument('--first'), argument('--users'));
      return { address: '127.0.0.1', failed: new Promise(() => {}) };
    },
    async stop() {
      clearTimeout(serverEnds);
      for (const control of connections) control.close();
      await Promise.all(threads.map((thread) => thread.terminate()));
      await server?.stop();
    },
  };
}

/** Of the connections that are accepted at this port. */
function trafficOf(port: number): SocketTraffic {
  const traffic = new SocketTraffic();
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === port) traffic.add(socket);
  });
  return traffic;
}

async function followOrders(control: ControlConnection, port: number, traffic: SocketTraffic): Promise<void> {
  control.record({
    type: 'process',
    schemaVersion: SCHEMA_VERSION,
    role: 'server',
    framework: 'broken',
    frameworkVersion: '1',
    mode: 'noquill',
    node: process.version,
    chrome: null,
    atMs: nowMs(),
  });
  control.record({ type: 'clock', ...(await control.measureClock()), atMs: nowMs() });
  control.send({ type: 'ready', ports: [port] });
  for await (const order of control.orders) {
    if (order.type !== 'collect') continue;
    const bytes = { ...traffic.read(), sentMessages: null, receivedMessages: null };
    control.record(
      { type: 'clock', ...(await control.measureClock()), atMs: nowMs() },
      { type: 'network', atMs: nowMs(), ...bytes },
    );
    control.flush();
    control.send({ type: 'outcome', contents: null, editorContents: null, savedState: null });
  }
}
