/**
 * The process beside a framework's servers in a trial: it has them started by name, with what stands behind them, tells the coordinator
 * their ports, samples their costs, has a CPU profile taken, and strikes them as the schedule of faults says.
 */
import { parseArgs } from 'node:util';
import { sharingOf } from '../../editors/base/framework.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { CUT_OFF_EXIT_CODE } from '../../infra/fleet.ts';
import { containerLimits, hostClockErrorMs } from '../../infra/machine/container.ts';
import { withheldTime } from '../../infra/machine/cpu-times.ts';
import { type RecordLine, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { messageOf } from '../../results/user-error.ts';
import { ownCpuMs } from '../probes/this-process.ts';
import { type ControlConnection, connectToCoordinator, endUnconnected } from '../trial/control-connection.ts';
import { type Blamed, CONTROL_URL_VARIABLE, type ScheduledServerFault, tokenOf } from '../trial/protocol.ts';
import { fromProcess } from '../trial/servers-wanted.ts';
import { BackingFailure } from './backing-failure.ts';
import { Deployment } from './deployment.ts';
import { type MeasuredSample, type MeasuredServer, observeServer } from './measured-server.ts';

const SAMPLE_PERIOD_MS = 1000;

const { values } = parseArgs({
  options: {
    framework: { type: 'string' },
    mode: { type: 'string', default: 'node' },
    address: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    /** Somebody else's server, which is only looked at: what is known of it, as JSON. */
    observed: { type: 'string' },
  },
});
const { framework, mode, address, port, observed } = values;
const url = process.env[CONTROL_URL_VARIABLE];
if (url === undefined) throw new Error(`${CONTROL_URL_VARIABLE} must hold the coordinator's address`);
if (framework === undefined) throw new Error('--framework must name the framework whose server to start');

// It is loaded while this process connects.
const server: MeasuredServer =
  observed === undefined ? await startDeployment(framework) : observeServer(JSON.parse(observed));
const control = await connectToCoordinator({ url, user: null }).catch(endUnconnected);
/** True if the connection may end for a reason that is known here. */
let mayLeave = false;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    mayLeave = true;
    control.close();
  });
}
try {
  await serve(await server.listen({ address, port: Number(port), token: tokenOf(url) }), framework);
} catch (error) {
  if (!isCutOff()) fail(messageOf(error), error instanceof BackingFailure ? 'store' : undefined);
}
// At once if the connection is lost, so that this process's end tells why before anything else is suspected; what it started goes with it.
if (isCutOff()) process.exitCode = CUT_OFF_EXIT_CODE;
else await server.stop();
process.exit();

async function startDeployment(framework: string): Promise<Deployment> {
  const wanted = fromProcess(process.env);
  const isAlone = wanted.servers === 1;
  const sharing = isAlone ? null : sharingOf((await findFramework(framework)).about, wanted.store);
  const onEnded = (how: string, of: 'server' | 'store') =>
    of === 'server' ? fail(`its process ${how}`, 'framework') : fail(how, 'store');
  return new Deployment({ ...wanted, framework, sharing, onEnded });
}

/** True if the connection to the coordinator is lost, which is not the framework's doing. */
function isCutOff(): boolean {
  return control.ended.aborted && !mayLeave;
}

function fail(message: string, by?: Blamed): void {
  control.send({ type: 'failed', message, ...(by && { by }) });
  mayLeave = true;
  control.close();
  process.exitCode = 1;
}

/** Follows the coordinator's orders, until the trial or the connection is over. @param ports of the servers, by their numbers */
async function serve(ports: number[], framework: string): Promise<void> {
  control.record({
    type: 'process',
    schemaVersion: SCHEMA_VERSION,
    role: 'server',
    framework,
    frameworkVersion: versionToday(await findFramework(framework)),
    mode,
    node: process.version,
    chrome: null,
    limits: containerLimits(),
    atMs: nowMs(),
  });
  await recordClock(control);
  const sampling = setInterval(async () => recordSample(await server.sample()), SAMPLE_PERIOD_MS);
  control.send({ type: 'ready', ports });
  for await (const order of control.orders) {
    if (order.type === 'goodbye') {
      mayLeave = true;
      break;
    }
    if (order.type === 'profile') {
      server
        .profile(order.durationMs)
        .then((profile) => control.send({ type: 'cpu-profile', profile }))
        .catch((error: Error) => control.send({ type: 'failed', message: `no CPU profile: ${error.message}` }));
    }
    if (order.type === 'go') {
      // An end of the trial meanwhile ends the server too, which is no failure.
      carryOut(order.serverFaults ?? [], order.startMs).catch(
        (error: Error) =>
          control.ended.aborted || fail(error.message, error instanceof BackingFailure ? 'store' : 'framework'),
      );
    }
    if (order.type === 'collect') {
      clearInterval(sampling);
      await recordClock(control);
      control.flush();
      control.send({ type: 'outcome', contents: null, editorContents: null, savedState: null });
    }
  }
  clearInterval(sampling);
  control.close();
}

/** One after the other, in their order. Resolves when all are over. @param startMs when typing begins, by the coordinator */
async function carryOut(faults: readonly ScheduledServerFault[], startMs: number): Promise<void> {
  if (faults.length === 0) return;
  // As good as a second one would be: a fault lasts seconds, and the clock is off by far less.
  const { offsetMs } = await control.measureClock();
  for (const { fault, kind, which, atMs, forMs } of faults.toSorted((a, b) => a.atMs - b.atMs)) {
    const fromMs = startMs + atMs - offsetMs;
    await realTimer.until(fromMs, control.ended);
    const { beganMs, endedMs } = await server.strike(kind, { untilMs: fromMs + forMs, forMs, which });
    control.send({ type: 'server-fault', fault, beganMs: beganMs + offsetMs, endedMs: endedMs + offsetMs });
  }
}

async function recordClock(connection: ControlConnection): Promise<void> {
  const sourceErrorMs = await hostClockErrorMs();
  const offset = await connection.measureClock();
  connection.record({ type: 'clock', ...offset, atMs: nowMs(), ...(sourceErrorMs === null ? {} : { sourceErrorMs }) });
}

function recordSample(sample: MeasuredSample): void {
  const { atMs, traffic, cpuMs, waitedMs, memoryBytes, gateCpuMs, delays } = sample;
  const { store, serverWrittenBytes, perServerCpuMs, brokerCpuMs, series = [], toldAtMs = atMs } = sample;
  const of = { type: 'resources', atMs, host: 'server', users: 0, cores: null } as const;
  const lines: RecordLine[] = [];
  if (traffic !== null) lines.push({ type: 'network', ...traffic, sentMessages: null, receivedMessages: null });
  if (cpuMs !== null) lines.push({ ...of, of: 'server', cpuMs, waitedMs: waitedMs ?? undefined, memoryBytes });
  if (gateCpuMs !== null) {
    lines.push({ ...of, atMs: traffic?.atMs ?? atMs, of: 'gate', cpuMs: gateCpuMs, memoryBytes: null });
  }
  if (delays !== null) lines.push({ type: 'loop-delay', atMs: toldAtMs, delays });
  if (store !== null) lines.push({ type: 'store', atMs, ...store, serverWrittenBytes });
  if (perServerCpuMs.length > 1) {
    lines.push({ type: 'servers', atMs, cpuMs: perServerCpuMs, brokerCpuMs, linksCpuMs: ownCpuMs() });
  }
  if (series.length > 0) lines.push({ type: 'server-series', atMs: toldAtMs, series });
  control.record(...lines, { type: 'withheld', atMs, ...withheldTime() });
}
