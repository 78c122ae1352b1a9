/**
 * The process that hosts users of one trial, whose drivers share what they run in, such as a Chrome.
 * `node harness/users/main.ts --framework yjs --mode optquill --first 8 --users 4`;
 * the coordinator's address, which holds the run's token, comes in `SCRIPTORIUM_CONTROL_URL`, where `ps` does not show it.
 */
import { parseArgs } from 'node:util';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { hostClockErrorMs } from '../../infra/machine/task-metadata.ts';
import { startHostProbe } from '../probes/host-probe.ts';
import { connectToCoordinator, endUnconnected } from '../trial/control-connection.ts';
import { CONTROL_URL_VARIABLE } from '../trial/protocol.ts';
import { type Drivers, findDrivers } from './editor-driver.ts';
import { CROWD_STEPS, putBeforeOthers } from './priority.ts';
import { runUser } from './user.ts';

/** How long the users here may take to leave once a connection to the coordinator ended: a page that hangs never does. */
const LEAVE_LIMIT_MS = 15_000;
/** Exit code if the machine lacks something that the drivers need, such as a Chrome. */
const NO_DRIVERS_EXIT_CODE = 3;

const { values } = parseArgs({
  options: {
    framework: { type: 'string' },
    mode: { type: 'string' },
    first: { type: 'string', default: '0' },
    users: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
    load: { type: 'boolean', default: false },
    host: { type: 'string', default: 'local' },
  },
});
const { mode, host, show, load: isLoad } = values;
const controlUrl = process.env[CONTROL_URL_VARIABLE];
if (controlUrl === undefined) throw new Error(`${CONTROL_URL_VARIABLE} must hold the coordinator's address`);
if (values.framework === undefined) throw new Error('--framework must name the framework of the users');
if (mode === undefined) throw new Error('--mode must name the mode of the users');
const users = Number(values.users);
const first = Number(values.first);
// Puppeteer keeps a stack trace for each of its calls, in case it fails: several per keystroke, and never read here.
Error.stackTraceLimit = 0;

const connections = await Promise.all(
  Array.from({ length: users }, (_, index) =>
    connectToCoordinator({ url: controlUrl, role: 'user', user: first + index }),
  ),
).catch(endUnconnected);
// Also while the drivers start: a Chrome that were left behind would still write what its fleet removes.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, closeConnections);
for (const { ended } of connections) {
  ended.addEventListener('abort', () => setTimeout(() => process.exit(1), LEAVE_LIMIT_MS).unref());
}
const framework = await findFramework(values.framework);
const openDrivers = await findDrivers({ framework, mode });
const drivers = await openDrivers({ framework, controlUrl, show, isLoad }).catch((error: Error) => {
  for (const control of connections) control.send({ type: 'failed', message: error.message });
  return null;
});
if (drivers === null) {
  closeConnections();
  process.exitCode = NO_DRIVERS_EXIT_CODE;
} else {
  await runUsers(drivers);
  await drivers.close();
}
process.exit();

function closeConnections(): void {
  for (const control of connections) control.close();
}

async function runUsers({ chrome, editorsPid, create }: Drivers): Promise<void> {
  const versions = { framework: versionToday(framework), chrome };
  // Where editors run in this process, it is theirs as much as the driver's.
  if (isLoad) putBeforeOthers({ steps: CROWD_STEPS });
  else if (editorsPid !== process.pid) putBeforeOthers();
  let stopProbe = () => {};
  await Promise.all(
    connections.map((control, index) =>
      runUser({
        control,
        driver: create(),
        versions,
        clockSourceErrorMs: hostClockErrorMs,
        onGo(go) {
          if (index > 0) return;
          stopProbe = startHostProbe({ editorsPid, host, users, ...go, record: control.record });
        },
      }),
    ),
  );
  stopProbe();
}
