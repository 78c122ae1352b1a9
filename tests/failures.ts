/**
 * What failed, appended to a file: `./scriptorium test` says it again at its end, as it runs several suites, two of them at once, and
 * a failure of one may stand a thousand lines above.
 */
import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { FAILURES_VARIABLE } from '../cli/test-command.ts';

const LINES_OF_A_MESSAGE = 12;

export default class Failures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[FAILURES_VARIABLE];
    if (file === undefined) return;
    const failures = modules.flatMap((module) => {
      const tests = [...module.children.allTests('failed')];
      const ofTests = tests.flatMap((test) =>
        (test.result().errors ?? []).map((error) => toldAs(`${module.relativeModuleId} > ${test.fullName}`, error)),
      );
      return [...ofTests, ...module.errors().map((error) => toldAs(module.relativeModuleId, error))];
    });
    appendFileSync(file, [...failures, ...unhandled.map((error) => toldAs('outside of tests', error))].join(''));
  }
}

function toldAs(where: string, { message }: { readonly message: string }): string {
  const lines = message.split('\n').slice(0, LINES_OF_A_MESSAGE);
  return `✗ ${where}\n${lines.map((line) => `    ${line}\n`).join('')}`;
}
