/**
 * The process of a trial's readers who are sockets.
 * `node harness/audience/main.ts --framework yjs --mode optquill --first 13 --users 1`; how many they are, the assignment says.
 * The coordinator's address, which holds the run's token, comes in `SCRIPTORIUM_CONTROL_URL`, where `ps` does not show it.
 */
import { parseArgs } from 'node:util';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { messageOf } from '../../results/user-error.ts';
import { readingOf } from '../attached/protocols.ts';
import { CROWD_STEPS, connectHost, HOST_OPTIONS, putBeforeOthers } from '../users/host-process.ts';
import { followOrders } from '../users/user.ts';
import { Audience } from './audience.ts';

const { values } = parseArgs({ options: HOST_OPTIONS });
const host = await connectHost(values);
const [control] = host.controls;
try {
  const framework = await findFramework(host.framework);
  const reading = readingOf(framework.about);
  if (reading === null) throw new Error(`it is not known how a reader of ${framework.name} joins`);
  putBeforeOthers({ steps: CROWD_STEPS });
  const { foreign } = host;
  const frameworkVersion = versionToday(framework);
  await followOrders(control!, new Audience({ control: control!, reading, frameworkVersion, foreign }));
} catch (error) {
  control!.send({ type: 'failed', message: messageOf(error) });
  host.close();
  process.exitCode = 1;
}
