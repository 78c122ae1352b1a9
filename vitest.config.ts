import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{results,traces,editors,infra,servers,analysis,harness}/**/*.test.ts'],
    // Two cores carry one Chrome; parallel files would make its timing meaningless.
    fileParallelism: false,
    setupFiles: ['vitest.setup.ts'],
    testTimeout: 10_000,
  },
});
