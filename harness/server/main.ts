/**
 * The process that runs a framework's server in a trial: starts it by name, tells the coordinator its port, has
 * sampled what it costs, and takes its CPU profile. The server's own code knows nothing of this.
 */

import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { containerLimits } from '../../infra/machine/limits.ts';
import { hostClockErrorMs } from '../../infra/machine/task-metadata.ts';
import { SCHEMA_VERSION } from '../../results/formats/records.ts';
import { messageOf } from '../../results/user-error.ts';
import { loadServer } from '../../servers/load.ts';
import type { RunningServer } from '../../servers/server.ts';
import { nowMs } from '../clock.ts';
import { frameworkVersion } from '../frameworks/discover.ts';
import { takeCpuProfile } from '../probes/cpu-profile.ts';
import { watchLoopDelay } from '../probes/loop-delay.ts';
import { type ServerSample, startServerProbe } from '../probes/server-probe.ts';
import { SocketTraffic } from '../probes/socket-traffic.ts';
import { type ControlConnection, connectToCoordinator } from '../trial/control-connection.ts';
import { CONTROL_URL_VARIABLE, tokenOf } from '../trial/control-url.ts';

const { values } = parseArgs({
  options: {
    framework: { type: 'string' },
    mode: { type: 'string', default: '' },
    address: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
  },
});
const url = process.env[CONTROL_URL_VARIABLE];
if (url === undefined) throw new Error(`${CONTROL_URL_VARIABLE} must hold the coordinator's address`);
if (values.framework === undefined) throw new Error('--framework must name the framework whose server to start');

const traffic = watchServerTraffic();
const loopDelays = watchLoopDelay();
const control = await connectToCoordinator({ url, role: 'server' }).catch((error: Error) => {
  console.error(`it could not connect to the coordinator: ${messageOf(error)}`);
  process.exit(1);
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => control.close());
try {
  const server = await loadServer(values.framework);
  const running = await server.start({ host: values.address, port: Number(values.port), token: tokenOf(url) });
  await serve(running, values.framework);
} catch (error) {
  control.send({ type: 'failed', message: messageOf(error) });
  control.close();
  process.exitCode = 1;
}
// A library's own timers must not keep a server alive that has been stopped.
process.exit();

async function serve(running: RunningServer, framework: string): Promise<void> {
  control.record({
    type: 'process',
    schemaVersion: SCHEMA_VERSION,
    role: 'server',
    framework,
    frameworkVersion: await frameworkVersion(framework),
    mode: values.mode,
    node: process.version,
    chrome: null,
    limits: containerLimits(),
    atMs: nowMs(),
  });
  await recordClock(control);
  const stopProbe = startServerProbe((sample) => recordSample(control, sample));
  control.send({ type: 'ready', port: running.port });
  for await (const order of control.orders) {
    if (order.type === 'goodbye') break;
    if (order.type === 'profile') {
      takeCpuProfile(order.durationMs)
        .then((profile) => control.send({ type: 'cpu-profile', profile }))
        .catch((error: Error) => control.send({ type: 'failed', message: `no CPU profile: ${error.message}` }));
    }
    if (order.type === 'collect') {
      stopProbe();
      await recordClock(control);
      control.flush();
      control.send({ type: 'outcome', contents: null, editorContents: null, savedState: null });
    }
  }
  stopProbe();
  control.close();
  await running.stop();
}

async function recordClock(connection: ControlConnection): Promise<void> {
  const sourceErrorMs = await hostClockErrorMs();
  const offset = await connection.measureClock();
  connection.record({ type: 'clock', ...offset, atMs: nowMs(), ...(sourceErrorMs === null ? {} : { sourceErrorMs }) });
}

function recordSample(connection: ControlConnection, { withheld, ...sample }: ServerSample): void {
  connection.record(
    { type: 'resources', ...sample, of: 'server', host: 'server', users: 0, cores: null },
    { type: 'network', atMs: nowMs(), ...traffic.read(), sentMessages: null, receivedMessages: null },
    { type: 'loop-delay', atMs: nowMs(), delays: loopDelays() },
    ...(withheld === null ? [] : [{ type: 'withheld', atMs: sample.atMs, ...withheld } as const]),
  );
}

/** Counts the bytes of every connection that this process accepts, whichever library does: Node tells of each. */
function watchServerTraffic(): SocketTraffic {
  const traffic = new SocketTraffic();
  subscribe('net.server.socket', (message) => traffic.add((message as { socket: Socket }).socket));
  return traffic;
}
