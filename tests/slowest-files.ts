/** A reporter for Vitest that names the slowest test files at the end of a run, so that the suite stays quick. */
import type { Reporter, TestModule } from 'vitest/node';

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
