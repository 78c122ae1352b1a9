/**
 * The process that plays a recorded crowd in a trial.
 * `node harness/crowd/main.ts --framework yjs --mode optquill --first 2 --users 110 --recording <folder>`;
 * the coordinator's address, which holds the run's token, comes in `SCRIPTORIUM_CONTROL_URL`, where `ps` does not show it.
 */
import { parseArgs } from 'node:util';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { messageOf } from '../../results/user-error.ts';
import { connectToCoordinator, endUnconnected } from '../trial/control-connection.ts';
import { CONTROL_URL_VARIABLE } from '../trial/protocol.ts';
import { CROWD_STEPS, putBeforeOthers } from '../users/priority.ts';
import { playCrowd, READ_PERIOD_MS } from './played-user.ts';
import { readRecording } from './recording.ts';

const { values } = parseArgs({
  options: {
    framework: { type: 'string' },
    mode: { type: 'string' },
    first: { type: 'string', default: '0' },
    users: { type: 'string', default: '1' },
    recording: { type: 'string' },
    'read-period-ms': { type: 'string', default: String(READ_PERIOD_MS) },
  },
});
const url = process.env[CONTROL_URL_VARIABLE];
if (url === undefined) throw new Error(`${CONTROL_URL_VARIABLE} must hold the coordinator's address`);
if (values.recording === undefined) throw new Error('--recording must name the folder of a recording');
if (values.framework === undefined) throw new Error('--framework must name the framework of the crowd');
const first = Number(values.first);

const controls = await Promise.all(
  Array.from({ length: Number(values.users) }, (_, index) =>
    connectToCoordinator({ url, role: 'user', user: first + index }),
  ),
).catch(endUnconnected);
const close = () => {
  for (const control of controls) control.close();
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, close);
try {
  const { users } = await readRecording(values.recording);
  const crowd = controls.map((control, index) => {
    const recorded = users.find(({ user }) => user === first + index);
    if (recorded === undefined) throw new Error(`the recording has no user ${first + index}`);
    return { control, recorded };
  });
  putBeforeOthers({ steps: CROWD_STEPS });
  const frameworkVersion = versionToday(await findFramework(values.framework));
  await playCrowd(crowd, { frameworkVersion, readPeriodMs: Number(values['read-period-ms']) });
} catch (error) {
  for (const control of controls) control.send({ type: 'failed', message: messageOf(error) });
  close();
  process.exitCode = 1;
}
