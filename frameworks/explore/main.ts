/** The process that plays worlds of one framework. From its first module on, the clock is virtual and randomness a seed's. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { WORK_FOLDER } from '../../infra/project.ts';
import { createVirtualClock, replaceGlobals } from '../../infra/virtual/clock.ts';

// A process that plays a few worlds would compile for most of its time.
enableCompileCache(join(WORK_FOLDER, 'compiled'));
replaceGlobals(createVirtualClock(), 0);
// Only now: libraries keep what they find in their surroundings when they are loaded.
const { answerWorlds } = await import('./world-process.ts');
const { loadClient, loadServer } = await import('../framework.ts');

answerWorlds(async (framework) => {
  const client = await loadClient(framework);
  return { client: () => client, server: await loadServer(framework) };
});
