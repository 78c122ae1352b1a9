/** The entry of every container that waits for work: `node infra/workers/main.ts`; environment.ts says what it reads. */

import { resolve } from 'node:path';
import { messageOf } from '../../results/user-error.ts';
import { workerSettings } from './environment.ts';
import { runWorker, type WorkerEnd } from './worker.ts';

const ENDS: Record<WorkerEnd, { code: number; text: string }> = {
  over: { code: 0, text: 'the run is over' },
  silence: { code: 1, text: 'the dispatcher is silent, or does not let this worker in' },
  deadline: { code: 1, text: 'the hard deadline has come' },
  interrupted: { code: 143, text: 'interrupted' },
};

const interrupted = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
try {
  const settings = workerSettings(process.env);
  const told = new Set<string>();
  const end = await runWorker({
    settings,
    root: resolve(import.meta.dirname, '../..'),
    interrupted: interrupted.signal,
    say(text) {
      if (!told.has(text)) console.error(text);
      told.add(text);
    },
  });
  console.error(`${settings.role} worker ${settings.name}: ${ENDS[end].text}`);
  process.exitCode = ENDS[end].code;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
