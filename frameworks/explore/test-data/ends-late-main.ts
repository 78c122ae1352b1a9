/** For tests: the process that plays worlds, which one of them ends that is not the first. */
import { createVirtualClock, replaceGlobals } from '../../../infra/virtual/clock.ts';

replaceGlobals(createVirtualClock(), 0);
const { answerWorlds } = await import('../world-process.ts');
const { brokenJoin } = await import('../../../tests/broken-frameworks/broken-framework.ts');

let joins = 0;
answerWorlds(async () =>
  brokenJoin(async (join, options) => {
    if (++joins > 30) process.exit(3);
    return join(options);
  }),
);
