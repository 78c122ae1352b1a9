/** A user in a thread of its own, where what holds it up holds up nobody else. */
import { workerData } from 'node:worker_threads';
import { connectToCoordinator } from '../../harness/trial/control-connection.ts';
import * as frameworks from './at-the-client.ts';
import type { BrokenFramework } from './broken-framework.ts';
import { runNodeUser, type UserThread } from './node-user.ts';

const { url, user, framework } = workerData as UserThread;
const control = await connectToCoordinator({ url, user });
await runNodeUser((frameworks as Record<string, BrokenFramework>)[framework]!, user, control);
