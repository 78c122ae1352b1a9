import { defineConfig } from 'vitest/config';

/** Trials, servers and installations that wait more than they work, and whose pace is not what is tested. */
const THREE_AT_A_TIME = [
  'tests/broken-frameworks/broken-frameworks.test.ts',
  'frameworks/check/**/*.test.ts',
  'harness/crowd/played-trial.test.ts',
  'harness/fleets/fargate/{commands,runner}.test.ts',
  'frameworks/{packages/*,outside,versions}.test.ts',
  'tests/workers.test.ts',
  'documents/document-run.test.ts',
  'documents/rest/**/*.test.ts',
  'harness/server/**/*.test.ts',
  'harness/users/docs/docs-{driver,trial}.test.ts',
  'harness/users/node/**/*.test.ts',
  'infra/{fargate,workers}/**/*.test.ts',
  'servers/child-server.test.ts',
  'servers/yjs-pycrdt/**/*.test.ts',
];

/** They start Chrome or many processes, look for what is left of such, or measure time: two cores carry one of them at once. */
const ONE_AT_A_TIME = [
  'analysis/report/html/report-page.test.ts',
  'tests/editor-suite/editor-suite.test.ts',
  'harness/{fleets,machine,probes,remote,users}/**/*.test.ts',
  'tests/broken-frameworks/**/*.test.ts',
  'tools/campaign/**/*.test.ts',
  'documents/measuring-process.test.ts',
  'documents/join/**/*.test.ts',
  'harness/crowd/play*.test.ts',
  'harness/experiment/written-frameworks.test.ts',
  'tests/{end-to-end,launcher}.test.ts',
  'harness/status/status-page-chrome.test.ts',
  'infra/{channel,local,network,process}/**/*.test.ts',
];

/** What such a trial finds is rightly that: it says something of the machine, or of the one below it, and nothing of the code. */
const retry = { count: 2, condition: /machine-stolen|the hypervisor gave|machine-busy|server-waited/ };

export default defineConfig({
  test: {
    // Whole, so that a failure says what a verdict's reasons are.
    chaiConfig: { truncateThreshold: 0 },
    setupFiles: ['vitest.setup.ts'],
    // A bound against hanging; other programs may have the cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'side by side',
          include: [
            '{results,traces,infra,editors,servers,frameworks,analysis,harness,documents,capabilities,cli,tools,tests}/**/*.test.ts',
          ],
          exclude: [...THREE_AT_A_TIME, ...ONE_AT_A_TIME],
          // They wait for processes and files now and then, too.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'three at a time',
          include: THREE_AT_A_TIME,
          maxWorkers: 3,
          retry,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'one at a time',
          include: ONE_AT_A_TIME,
          exclude: THREE_AT_A_TIME,
          fileParallelism: false,
          retry,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
