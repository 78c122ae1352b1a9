import { defineConfig } from 'vitest/config';

/**
 * Three suites by the ending of a file's name:
 * - `x.test.ts`: no process, no Chrome, no module replaced. Files share two workers and what these have loaded.
 * - `x.it.test.ts`: processes, trials, servers, or replaced modules. They wait more than they work, so several run at once.
 * - `x.alone.test.ts`: Chrome, measured time, or many trials at once. Two cores carry one such file at a time.
 */
const ROOMS =
  '{results,traces,infra,editors,servers,frameworks,analysis,harness,documents,capabilities,cli,tools,tests}';
const INTEGRATION = `${ROOMS}/**/*.it.test.ts`;
const ALONE = `${ROOMS}/**/*.alone.test.ts`;

/** The machine, or the one below it, spoiled a trial: that says nothing of the code. */
const retry = { count: 2, condition: /machine-stolen|the hypervisor gave|machine-busy|server-waited/ };

export default defineConfig({
  test: {
    // Whole, so that a failure says what a verdict's reasons are.
    chaiConfig: { truncateThreshold: 0 },
    setupFiles: ['vitest.setup.ts'],
    reporters: ['default', './tests/slowest-files.ts'],
    // A bound against hanging; other programs may have the cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: [`${ROOMS}/**/*.test.ts`],
          exclude: [INTEGRATION, ALONE],
          isolate: false,
          maxWorkers: 2,
          maxConcurrency: 40,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'it',
          include: [INTEGRATION],
          maxWorkers: 3,
          retry,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: [ALONE],
          fileParallelism: false,
          maxConcurrency: 10,
          retry,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
