import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './tests/slowest-files.ts';

/**
 * Four suites by the ending of a file's name:
 * - `x.test.ts`: no process, no Chrome, no module replaced. Files share two workers and what these have loaded. `./scriptorium test`
 *   runs them on the cores that the next suite leaves.
 * - `x.it.test.ts`: processes, Chrome, servers, or replaced modules. They wait twice as much as they work, so six run on two cores.
 * - `x.trial.test.ts`: trials, and programs of others, that go right only on a machine with cores to spare. They wait for the most part, but three at once are late on slow cores.
 * - `x.alone.test.ts`: measured times. Each has the machine to itself.
 */
const ROOMS =
  '{results,traces,infra,editors,servers,frameworks,analysis,harness,documents,capabilities,cli,tools,tests}';
const INTEGRATION = `${ROOMS}/**/*.it.test.ts`;
const TRIAL = `${ROOMS}/**/*.trial.test.ts`;
const ALONE = `${ROOMS}/**/*.alone.test.ts`;

// Node compiles each module once for all processes that tests start: half the time of a short command.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.scriptorium/compiled');

/** The machine, or the one below it, spoiled a trial, as its code or its sentence says: that says nothing of the code. */
const retry = {
  count: 2,
  condition:
    /machine-stolen|the hypervisor gave|machine-busy|server-waited|clock-uncertain|the load generator: by itself late/,
};

export default defineConfig({
  test: {
    // Whole, so that a failure says what a verdict's reasons are.
    chaiConfig: { truncateThreshold: 0 },
    setupFiles: ['vitest.setup.ts'],
    // Without a summary that is drawn anew: two runs may share a terminal (cli/test-command.ts).
    reporters: [['default', { summary: false }], './tests/slowest-files.ts', './tests/failures.ts'],
    sequence: { sequencer: SlowestFirst },
    // Bounds against hanging; other programs may have the cores.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: [`${ROOMS}/**/*.test.ts`],
          exclude: [INTEGRATION, TRIAL, ALONE],
          isolate: false,
          maxWorkers: 2,
          maxConcurrency: 40,
          // DuckDB's calls in one thread, as two workers have both cores.
          env: { UV_THREADPOOL_SIZE: '1' },
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'it',
          include: [INTEGRATION],
          setupFiles: ['./tests/one-analysis.ts', './tests/brief-idle.ts'],
          maxWorkers: 6,
          retry,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'trial',
          include: [TRIAL],
          setupFiles: ['./tests/one-analysis.ts', './tests/brief-idle.ts'],
          maxWorkers: 2,
          retry,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: [ALONE],
          fileParallelism: false,
          retry,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
