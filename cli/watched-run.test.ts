import { mkdir, readdir } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { folderOfEachTest } from '../tests/folders.ts';
import { ask, outputDirectory, runInto } from './watched-run.ts';

afterEach(() => vi.unstubAllEnvs());

const folder = folderOfEachTest();

const question = {
  text: 'The second trial needs a document.',
  what: 'link',
  isAnswer: (text: string) => text.startsWith('doc:'),
};

function askHere(signal = new AbortController().signal) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  return { input, output, answer: ask(question, { signal, input, output }) };
}

test('says what is needed, asks until an answer of the form comes, and gives it', async () => {
  const { input, output, answer } = askHere();
  input.write('nonsense\n');
  await new Promise((resolve) => setTimeout(resolve, 20));
  input.write('  doc:7 \n');
  expect(await answer).toBe('doc:7');
  const said = String(output.read());
  expect(said).toContain('The second trial needs a document.\nIts link: ');
  expect(said).toContain('"nonsense" is no link of that form');
});

test('ends with the interrupt, or with the input', async () => {
  const interrupt = new AbortController();
  const interrupted = askHere(interrupt.signal).answer;
  interrupt.abort(new Error('Ctrl-C'));
  await expect(interrupted).rejects.toThrow('Ctrl-C');
  const { input, answer } = askHere();
  input.end();
  await expect(answer).rejects.toThrow('no link was given: the input ended');
});

test.runIf(process.platform === 'linux')('a folder of results that cannot be made is told at once', async () => {
  vi.stubEnv('SCRIPTORIUM_RESULTS', '/proc/nowhere');
  await expect(outputDirectory('smoke', undefined)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/^cannot write results to \/proc\/nowhere\/smoke \(no folder can be made there\);/),
  });
});

test('of a run that is refused nothing is left, and the folder of a person stays', async () => {
  vi.stubEnv('SCRIPTORIUM_RESULTS', folder.path);
  const refused = async () => {
    throw new Error('no Docker');
  };
  const options = { say: () => {}, canResume: true };
  await expect(runInto(await outputDirectory('smoke', undefined), options, refused)).rejects.toThrow('no Docker');
  expect(await readdir(folder.path)).toEqual([]);
  await mkdir(folder.in('mine'));
  await expect(runInto(folder.in('mine/deep/run'), options, refused)).rejects.toThrow('no Docker');
  expect(await readdir(folder.in('mine'))).toEqual([]);
});
