import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordLine } from '../results/formats/records.ts';
import { isAlive } from '../results/run-folder/process-name.ts';
import { runMeasuringProcess } from './measuring-process.ts';

/** Runs a script; gives its lines. */
async function linesOf(
  script: string,
  { limitMs = 20_000, signal = new AbortController().signal }: { limitMs?: number; signal?: AbortSignal } = {},
): Promise<RecordLine[]> {
  const lines: RecordLine[] = [];
  const command = [process.execPath, '--max-old-space-size=50', '--input-type=module', '--eval', script];
  await runMeasuringProcess({ command, limitMs, signal, write: (line) => lines.push(line) });
  return lines;
}

test('what it prints are lines of the record', async () => {
  const line = { type: 'figure', figure: 'applyMs', value: 12.5 };
  expect(await linesOf(`console.log(${JSON.stringify(JSON.stringify(line))})`)).toEqual([line]);
});

test('what it prints beside is an error, and so is a bad end, with its last words', async () => {
  await expect(linesOf('console.log("hello")')).rejects.toThrow(/no line of a record: hello/);
  await expect(linesOf('console.error("no luck"); process.exit(3)')).rejects.toThrow(/exit code 3:\nno luck/);
});

test('what takes too long has failed, and is gone', async () => {
  const lines: RecordLine[] = [];
  const script = `console.log(JSON.stringify({ type: 'figure', figure: 'pid', value: process.pid })); for (;;);`;
  const command = [process.execPath, '--eval', script];
  const { signal } = new AbortController();
  await expect(
    runMeasuringProcess({ command, limitMs: 1500, signal, write: (line) => lines.push(line) }),
  ).rejects.toMatchObject({ code: 'out-of-time', message: 'it was not done after 1.5 s' });
  expect(isAlive((lines[0] as { value: number }).value)).toBe(false);
});

test('what takes more memory than JavaScript may have has failed', async () => {
  const hungry = 'const all = []; for (;;) all.push(new Array(1000).fill(Math.random()))';
  await expect(linesOf(hungry)).rejects.toMatchObject({ code: 'out-of-memory' });
});

test('an interrupted one ends at once', async () => {
  const interrupt = new AbortController();
  setTimeout(() => interrupt.abort(new Error('enough')), 200);
  await expect(linesOf('for (;;);', { signal: interrupt.signal })).rejects.toThrow('enough');
});

test('it ends when whoever started it is killed, however busy it is', async () => {
  const line = `console.log(JSON.stringify({ type: 'figure', figure: 'pid', value: process.pid })); for (;;);`;
  const script = `
    import { runMeasuringProcess } from ${JSON.stringify(join(import.meta.dirname, 'measuring-process.ts'))};
    await runMeasuringProcess({
      command: [process.execPath, '--eval', ${JSON.stringify(line)}],
      limitMs: 60_000,
      signal: new AbortController().signal,
      write: ({ value }) => console.log(value),
    });`;
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  const [said] = await once(starter.stdout, 'data');
  starter.kill('SIGKILL');
  await expect.poll(() => isAlive(Number(said))).toBe(false);
});
