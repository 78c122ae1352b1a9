/**
 * The process that plays a recorded crowd in a trial.
 * `node harness/crowd/main.ts --framework yjs --mode optquill --first 2 --users 110 --recording <folder>`;
 * the coordinator's address, which holds the run's token, comes in `SCRIPTORIUM_CONTROL_URL`, where `ps` does not show it.
 */
import { parseArgs } from 'node:util';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { messageOf } from '../../results/user-error.ts';
import { CROWD_STEPS, connectHost, HOST_OPTIONS, putBeforeOthers } from '../users/host-process.ts';
import { playCrowd } from './played-user.ts';
import { readRecording } from './recording.ts';

const { values } = parseArgs({
  options: {
    ...HOST_OPTIONS,
    recording: { type: 'string' },
  },
});
if (values.recording === undefined) throw new Error('--recording must name the folder of a recording');

const { framework, first, controls, close } = await connectHost(values);
try {
  const { users } = await readRecording(values.recording);
  const crowd = controls.map((control, index) => {
    const recorded = users.find(({ user }) => user === first + index);
    if (recorded === undefined) throw new Error(`the recording has no user ${first + index}`);
    return { control, recorded };
  });
  putBeforeOthers({ steps: CROWD_STEPS });
  const frameworkVersion = versionToday(await findFramework(framework));
  await playCrowd(crowd, { frameworkVersion });
} catch (error) {
  for (const control of controls) control.send({ type: 'failed', message: messageOf(error) });
  close();
  process.exitCode = 1;
}
