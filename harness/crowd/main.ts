/**
 * The process that plays a recorded crowd in a trial.
 * `SCRIPTORIUM_CONTROL_URL=… node harness/crowd/main.ts --framework yjs --mode optquill --first 2 --users 110 --recording <folder>`
 */
import { parseArgs } from 'node:util';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { HOST_OPTIONS, hostSockets } from '../users/host-process.ts';
import { playCrowd } from './played-user.ts';
import { readRecording } from './recording.ts';

const { values } = parseArgs({
  options: {
    ...HOST_OPTIONS,
    recording: { type: 'string' },
  },
});
const folder = values.recording;
if (folder === undefined) throw new Error('--recording must name the folder of a recording');

await hostSockets(values, async ({ framework, first, controls }) => {
  const { users } = await readRecording(folder);
  const crowd = controls.map((control, index) => {
    const recorded = users.find(({ user }) => user === first + index);
    if (recorded === undefined) throw new Error(`the recording has no user ${first + index}`);
    return { control, recorded };
  });
  const frameworkVersion = versionToday(await findFramework(framework));
  await playCrowd(crowd, { frameworkVersion });
});
