/**
 * The process that hosts users of one trial, whose drivers share what they run in, such as a Chrome.
 * `SCRIPTORIUM_CONTROL_URL=… node harness/users/main.ts --framework yjs --mode optquill --first 8 --users 4`
 */
import { parseArgs } from 'node:util';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { hostClockErrorMs } from '../../infra/machine/container.ts';
import { startHostProbe } from '../probes/host-probe.ts';
import { type Drivers, findDrivers } from './editor-driver.ts';
import { CROWD_STEPS, connectHost, HOST_OPTIONS, putBeforeOthers } from './host-process.ts';
import { runUser } from './user.ts';

/** How long the users here may take to leave once a connection to the coordinator ended: a page that hangs never does. */
const LEAVE_LIMIT_MS = 15_000;
/** Exit code if the machine lacks something that the drivers need, such as a Chrome. */
const NO_DRIVERS_EXIT_CODE = 3;

const { values } = parseArgs({
  options: {
    ...HOST_OPTIONS,
    show: { type: 'boolean', default: false },
    load: { type: 'boolean', default: false },
    crowd: { type: 'boolean', default: false },
    host: { type: 'string', default: 'local' },
  },
});
const { mode, show, load: isLoad, crowd: isCrowd } = values;
if (mode === undefined) throw new Error('--mode must name the mode of the users');
// Puppeteer keeps a stack trace for each of its calls, in case it fails: several per keystroke, and never read here.
Error.stackTraceLimit = 0;

// Signals end the connections also while the drivers start: a Chrome that were left behind would still write what its fleet removes.
const host = await connectHost(values);
for (const { ended } of host.controls) {
  ended.addEventListener('abort', () => setTimeout(() => process.exit(1), LEAVE_LIMIT_MS).unref());
}
const framework = await findFramework(host.framework);
const openDrivers = await findDrivers({ framework, mode });
const drivers = await openDrivers({ framework, controlUrl: host.controlUrl, show, isCrowd }).catch((error: Error) => {
  for (const control of host.controls) control.send({ type: 'failed', message: error.message });
  return null;
});
if (drivers === null) {
  host.close();
  process.exitCode = NO_DRIVERS_EXIT_CODE;
} else {
  await runUsers(drivers);
  await drivers.close();
}
process.exit();

async function runUsers({ chrome, editorsPid, create }: Drivers): Promise<void> {
  const versions = { framework: versionToday(framework), chrome };
  // Where editors run in this process, it is theirs as much as the driver's.
  if (isLoad) putBeforeOthers({ steps: CROWD_STEPS });
  else if (editorsPid !== process.pid) putBeforeOthers();
  const users = host.controls.length;
  let stopProbe = () => {};
  await Promise.all(
    host.controls.map((control, index) =>
      runUser({
        control,
        driver: create(),
        versions,
        foreign: host.foreign,
        clockSourceErrorMs: hostClockErrorMs,
        onGo(go) {
          if (index > 0) return;
          stopProbe = startHostProbe({ editorsPid, host: values.host, users, ...go, record: control.record });
        },
      }),
    ),
  );
  stopProbe();
}
