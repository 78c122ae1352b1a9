/**
 * The process of a trial's readers who are sockets.
 * `SCRIPTORIUM_CONTROL_URL=… node harness/audience/main.ts --framework yjs --mode optquill --first 13 --users 1`; how many they are,
 * the assignment says.
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { readingOf } from '../attached/protocols.ts';
import { HOST_OPTIONS, hostSockets } from '../users/host-process.ts';
import { followOrders } from '../users/user.ts';
import { Audience } from './audience.ts';

// Readers keep nothing, but V8 lets their garbage grow to tens of MiB; its young space stays as small as it begins.
setFlagsFromString('--semi-space-growth-factor=1');

await hostSockets(parseArgs({ options: HOST_OPTIONS }).values, async ({ framework: name, controls, foreign }) => {
  const framework = await findFramework(name);
  const reading = readingOf(framework.about);
  if (reading === null) throw new Error(`it is not known how a reader of ${name} joins`);
  const [control] = controls;
  await followOrders(
    control!,
    new Audience({ control: control!, reading, frameworkVersion: versionToday(framework), foreign }),
  );
});
