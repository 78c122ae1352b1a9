/** The slowest test files: begun first, and named at the end of a run, so that the suite stays quick. */
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest though they are short, the slowest first; trials in an order that ends both workers together.
 * Without times of an earlier run, Vitest begins with the largest files: these would come last, and leave a core idle at the end.
 */
const SLOW = [
  'tests/broken-frameworks/broken-frameworks.it.test.ts',
  'tests/broken-frameworks/late-frameworks.it.test.ts',
  'harness/fleets/fargate/commands.it.test.ts',
  'harness/crowd/recordings.it.test.ts',
  'frameworks/check/conformance.it.test.ts',
  'harness/fleets/fargate/runner.it.test.ts',
  'tests/launcher.it.test.ts',
  'servers/yjs-pycrdt/server.it.test.ts',
  'documents/document-run.it.test.ts',
  'servers/reconnecting.it.test.ts',
  'frameworks/check/new-framework.it.test.ts',
  'harness/users/docs/docs-trial.it.test.ts',
  'analysis/report/report-page.it.test.ts',
  'harness/crowd/played-trial.it.test.ts',
  'harness/users/docs/drivers.it.test.ts',
  'tests/workers.it.test.ts',
  'harness/trial/trial.it.test.ts',
  'harness/users/node/faults-trial.it.test.ts',
  'harness/run/halves.it.test.ts',
  'frameworks/packages/project-packages.it.test.ts',
  'harness/server/server.it.test.ts',
  'cli/main.it.test.ts',
  'frameworks/packages/ready-packages.it.test.ts',
  'tests/end-to-end.trial.test.ts',
  'tests/broken-frameworks/pace.trial.test.ts',
  'cli/campaign-command.trial.test.ts',
  'harness/users/node/node-trial.trial.test.ts',
  'documents/join/join-trial.trial.test.ts',
  'documents/storm/storm-trial.trial.test.ts',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = (file: TestSpecification, slow: string) => file.moduleId.endsWith(`/${slow}`);
    const first = SLOW.flatMap((slow) => files.filter((file) => isSlow(file, slow)));
    return [...first, ...(await super.sort(files)).filter((file) => !first.includes(file))];
  }
}

const FILES = 10;

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= FILES) return;
    const timed = modules.map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }));
    const slowest = timed.sort((a, b) => b.ms - a.ms).slice(0, FILES);
    console.log(`\n The ${FILES} slowest files`);
    for (const { file, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
  }
}
