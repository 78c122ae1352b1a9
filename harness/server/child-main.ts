/**
 * A child of `main.ts` in which the framework's server runs, so that it can be killed and the trial goes on:
 * `node harness/server/child-main.ts yjs`, by `fork`. It ends with its parent.
 */

import { findFramework } from '../../frameworks/discover.ts';
import { loadServer } from '../../frameworks/halves.ts';
import { messageOf } from '../../results/user-error.ts';
import { type ServerHost, startHere } from './host.ts';
import type { FromChild, ToChild } from './server-child.ts';

/** Period of traffic reports; a killed child loses at most one. */
const SAMPLE_PERIOD_MS = 250;

let host: ServerHost | null = null;
const tell = (message: FromChild) => {
  if (process.connected) process.send!(message);
};

process.once('disconnect', () => process.exit());
// A signal to the whole process group means the parent, which ends this process.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (message: ToChild) => {
  follow(message).catch((error) => tell({ type: 'failed', message: messageOf(error) }));
});

const [framework = ''] = process.argv.slice(2);
try {
  // Beforehand, so that it listens as soon as it is told.
  await loadServer(await findFramework(framework));
  tell({ type: 'loaded' });
} catch (error) {
  tell({ type: 'failed', message: messageOf(error) });
}

async function follow(message: ToChild): Promise<void> {
  switch (message.type) {
    case 'listen': {
      const { address, port, token } = message;
      host = await startHere({ framework, address, port, token });
      host.program?.failed.then((how) => tell({ type: 'failed', message: `its process ${how}` }));
      setInterval(() => tellSample(host!), SAMPLE_PERIOD_MS);
      return tell({ type: 'listening', port: host.port });
    }
    case 'profile':
      return tell({ type: 'profile', profile: await host!.profile(message.durationMs) });
    case 'stop':
      await host?.stop();
      process.exit();
  }
}

function tellSample({ traffic, loopDelays }: ServerHost): void {
  tell({ type: 'sample', traffic: traffic(), delays: loopDelays() });
}
