import { defineConfig } from 'vitest/config';

/** They start Chrome, whole runs or many processes, or measure time: two cores carry one of them at once. */
const ONE_AT_A_TIME = [
  'analysis/report/html/report-page.test.ts',
  'editors/base/suite/editor-suite.test.ts',
  'harness/{broken-frameworks,conformance,fleets,machine,probes,remote,users}/**/*.test.ts',
  'harness/crowd/play*.test.ts',
  'harness/{end-to-end,launcher,workers}.test.ts',
  'harness/status/status-page-chrome.test.ts',
  'infra/{channel,fargate,local,network,process,workers}/**/*.test.ts',
];

export default defineConfig({
  test: {
    setupFiles: ['vitest.setup.ts'],
    // A bound against hanging; other programs may have the cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'side by side',
          include: ['{results,traces,editors,infra,servers,analysis,harness}/**/*.test.ts'],
          exclude: ONE_AT_A_TIME,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'one at a time',
          include: ONE_AT_A_TIME,
          fileParallelism: false,
          // Such a trial is rightly invalid: it says something of the machine below this one, and nothing of the code.
          retry: { count: 2, condition: /machine-stolen/ },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
