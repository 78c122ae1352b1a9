/** Writes failures to the file that `./scriptorium test` names, a line each: it says them again at its end, or tries them again. */
import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { FAILURES_VARIABLE, type Failure } from '../cli/test-command.ts';

const LINES_OF_A_MESSAGE = 12;

export default class Failures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const list = process.env[FAILURES_VARIABLE];
    if (list === undefined) return;
    const failures = modules.flatMap((module): Failure[] => {
      const file = module.relativeModuleId;
      const ofTests = [...module.children.allTests('failed')].flatMap((test) =>
        (test.result().errors ?? []).map((error) => ({ file, text: textOf(`${file} > ${test.fullName}`, error) })),
      );
      return [...ofTests, ...module.errors().map((error) => ({ file, text: textOf(file, error) }))];
    });
    const outside = unhandled.map((error): Failure => ({ file: null, text: textOf('outside of tests', error) }));
    appendFileSync(list, [...failures, ...outside].map((failure) => `${JSON.stringify(failure)}\n`).join(''));
  }
}

function textOf(where: string, { message }: { readonly message: string }): string {
  const lines = message.split('\n').slice(0, LINES_OF_A_MESSAGE);
  return [where, ...lines.map((line) => `    ${line}`)].join('\n');
}
