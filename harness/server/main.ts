/**
 * The process that runs a framework's server in a trial, or stands before a server that is a program of its own. It starts
 * the server by name, tells the coordinator its port, samples its cost, and takes its CPU profile. The server's own code
 * knows nothing of this. With `--restarts`, its part of the fault schedule as JSON, it runs in a child process, which is
 * ended and started again as scheduled.
 */

import { parseArgs } from 'node:util';
import * as z from 'zod';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { CUT_OFF_EXIT_CODE } from '../../infra/fleet.ts';
import { containerLimits } from '../../infra/machine/limits.ts';
import { hostClockErrorMs } from '../../infra/machine/task-metadata.ts';
import { SCHEMA_VERSION } from '../../results/formats/records.ts';
import { messageOf } from '../../results/user-error.ts';
import { type ServerSample, startServerProbe } from '../probes/server-probe.ts';
import { type ControlConnection, connectToCoordinator, endUnconnected } from '../trial/control-connection.ts';
import { CONTROL_URL_VARIABLE, type ScheduledRestart, scheduledRestart, tokenOf } from '../trial/protocol.ts';
import { ChildHost } from './child-host.ts';
import { type HostOptions, type ServerHost, startHere } from './host.ts';

const { values } = parseArgs({
  options: {
    framework: { type: 'string' },
    mode: { type: 'string', default: '' },
    address: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    restarts: { type: 'string', default: '[]' },
  },
});
const url = process.env[CONTROL_URL_VARIABLE];
if (url === undefined) throw new Error(`${CONTROL_URL_VARIABLE} must hold the coordinator's address`);
if (values.framework === undefined) throw new Error('--framework must name the framework whose server to start');

const control = await connectToCoordinator({ url, role: 'server' }).catch(endUnconnected);
/** True if the connection may end for a reason that is known here. */
let mayLeave = false;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    mayLeave = true;
    control.close();
  });
}
const options = {
  framework: values.framework,
  address: values.address,
  port: Number(values.port),
  token: tokenOf(url),
};
try {
  const restarts = z.array(scheduledRestart).parse(JSON.parse(values.restarts));
  await (restarts.length > 0 ? serveInChild(options, restarts) : serve(await startHere(options), options));
} catch (error) {
  if (!isCutOff()) fail(messageOf(error));
}
if (isCutOff()) process.exitCode = CUT_OFF_EXIT_CODE;
// A library's own timers must not keep a server alive that has been stopped.
process.exit();

/** True if the connection to the coordinator is lost, which is not the framework's doing. */
function isCutOff(): boolean {
  return control.ended.aborted && !mayLeave;
}

function fail(message: string, by?: 'framework'): void {
  control.send({ type: 'failed', message, ...(by && { by }) });
  mayLeave = true;
  control.close();
  process.exitCode = 1;
}

async function serveInChild(options: HostOptions, restarts: readonly ScheduledRestart[]): Promise<void> {
  const host = await ChildHost.start(options, (how) => fail(how, 'framework'));
  await serve(host, options, (startMs) => carryOut(restarts, { host, startMs }));
}

/** One after the other, in their order. Resolves when all are over. @param at.startMs when typing begins, by the coordinator */
async function carryOut(
  restarts: readonly ScheduledRestart[],
  { host, startMs }: { host: ChildHost; startMs: number },
): Promise<void> {
  // As good as a second one would be: a restart is seconds, and the clock is off by far less.
  const { offsetMs } = await control.measureClock();
  for (const { fault, atMs, forMs } of restarts.toSorted((a, b) => a.atMs - b.atMs)) {
    const fromMs = startMs + atMs - offsetMs;
    await realTimer.until(fromMs, control.ended);
    const { beganMs, endedMs } = await host.restart(fromMs + forMs);
    control.send({ type: 'restarted', fault, beganMs: beganMs + offsetMs, endedMs: endedMs + offsetMs });
  }
}

/** @param restart carries out restarts; absent: the server cannot be restarted */
async function serve(
  host: ServerHost,
  { framework }: HostOptions,
  restart?: (startMs: number) => Promise<void>,
): Promise<void> {
  control.record({
    type: 'process',
    schemaVersion: SCHEMA_VERSION,
    role: 'server',
    framework,
    frameworkVersion: versionToday(await findFramework(framework)),
    mode: values.mode,
    node: process.version,
    chrome: null,
    limits: containerLimits(),
    atMs: nowMs(),
  });
  host.program?.failed.then((how) => fail(`its process ${how}`, 'framework'));
  await recordClock(control);
  const stopProbe = startServerProbe((sample) => recordSample(host, sample), host.program?.pid);
  control.send({ type: 'ready', port: host.port });
  for await (const order of control.orders) {
    if (order.type === 'goodbye') {
      mayLeave = true;
      break;
    }
    if (order.type === 'profile') {
      host
        .profile(order.durationMs)
        .then((profile) => control.send({ type: 'cpu-profile', profile }))
        .catch((error: Error) => control.send({ type: 'failed', message: `no CPU profile: ${error.message}` }));
    }
    if (order.type === 'go') {
      // An end of the trial meanwhile ends the server too, which is no failure.
      restart?.(order.startMs).catch((error: Error) => control.ended.aborted || fail(error.message, 'framework'));
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
  // At once where the connection is lost, so that this process's end tells why before anything else is suspected.
  if (!isCutOff()) await host.stop();
}

async function recordClock(connection: ControlConnection): Promise<void> {
  const sourceErrorMs = await hostClockErrorMs();
  const offset = await connection.measureClock();
  connection.record({ type: 'clock', ...offset, atMs: nowMs(), ...(sourceErrorMs === null ? {} : { sourceErrorMs }) });
}

function recordSample(host: ServerHost, sample: ServerSample): void {
  const { atMs, cpuMs, waitedMs, memoryBytes, gateCpuMs, withheld } = sample;
  const of = { type: 'resources', atMs, host: 'server', users: 0, cores: null } as const;
  control.record(
    { type: 'network', atMs: nowMs(), ...host.traffic(), sentMessages: null, receivedMessages: null },
    ...(cpuMs === null
      ? []
      : [{ ...of, of: 'server', cpuMs, ...(waitedMs === null ? {} : { waitedMs }), memoryBytes } as const]),
    // This event loop says nothing of a server in another process.
    ...(gateCpuMs === null
      ? [{ type: 'loop-delay', atMs: nowMs(), delays: host.loopDelays() } as const]
      : [{ ...of, of: 'gate', cpuMs: gateCpuMs, memoryBytes: null } as const]),
    ...(withheld === null ? [] : [{ type: 'withheld', atMs, ...withheld } as const]),
  );
}
