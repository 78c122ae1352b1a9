/**
 * The process that hosts users: one Chrome, one browser context a user.
 * `node harness/users/main.ts --framework yjs --first 8 --users 4`;
 * the coordinator's address, which holds the run's token, comes in `SCRIPTORIUM_CONTROL_URL`, where `ps` does not show it.
 */
import { parseArgs } from 'node:util';
import { hostClockErrorMs } from '../../infra/machine/task-metadata.ts';
import { findFramework, frameworkVersion } from '../frameworks/discover.ts';
import { startHostProbe } from '../probes/host-probe.ts';
import { connectToCoordinator } from '../trial/control-connection.ts';
import { CONTROL_URL_VARIABLE } from '../trial/control-url.ts';
import { launchChrome } from './chrome/chrome.ts';
import { createChromeDriver } from './chrome/chrome-driver.ts';
import { openPageProxy } from './chrome/page-proxy.ts';
import { createDocsDriver } from './docs/docs-driver.ts';
import { runUser } from './user.ts';

const { values } = parseArgs({
  options: {
    framework: { type: 'string' },
    first: { type: 'string', default: '0' },
    users: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
    host: { type: 'string', default: 'local' },
  },
});
const url = process.env[CONTROL_URL_VARIABLE];
if (url === undefined) throw new Error(`${CONTROL_URL_VARIABLE} must hold the coordinator's address`);
if (values.framework === undefined) throw new Error('--framework must name what the users use');
// Puppeteer keeps a stack trace for each of its calls, in case it fails: several per keystroke, and never read here.
Error.stackTraceLimit = 0;

/** How long the users here may take to leave once a connection to the coordinator ended: a page that hangs never does. */
const LEAVE_LIMIT_MS = 15_000;

const users = Number(values.users);
const first = Number(values.first);
const connections = await Promise.all(
  Array.from({ length: users }, (_, index) => connectToCoordinator({ url, role: 'user', user: first + index })),
);
for (const { ended } of connections) {
  ended.addEventListener('abort', () => setTimeout(() => process.exit(1), LEAVE_LIMIT_MS).unref());
}
const { about } = await findFramework(values.framework);
const proxy = await openPageProxy(url);
const chrome = await launchChrome({ show: values.show }).catch((error: Error) => {
  for (const control of connections)
    control.send({ type: 'failed', message: `Chrome does not start: ${error.message}` });
  return null;
});

if (chrome === null) {
  for (const control of connections) control.close();
  process.exitCode = 3;
} else {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const control of connections) control.close();
    });
  }
  const versions = { framework: frameworkVersion, chrome: chrome.version };
  let stopProbe = () => {};
  await Promise.all(
    connections.map((control, index) =>
      runUser({
        control,
        driver:
          about.hosted === undefined
            ? createChromeDriver(chrome.browser, proxy.through)
            : createDocsDriver({ browser: chrome.browser, through: proxy.through }),
        versions,
        clockSourceErrorMs: hostClockErrorMs,
        onGo(go) {
          if (index > 0) return;
          stopProbe = startHostProbe({
            chromePid: chrome.pid,
            host: values.host,
            users,
            ...go,
            record: control.record,
          });
        },
      }),
    ),
  );
  stopProbe();
  await chrome.close();
}
process.exit();
