import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askForDocument } from './ask-for-document.ts';

const planned = {
  cell: 'theirs-optquill-2',
  framework: 'theirs',
  mode: 'optquill',
  users: 2,
  trial: 2,
  seed: 1,
  directory: '',
};
const hosting = {
  driver: 'none',
  linkForm: 'doc:<name>',
  isLink: (text: string) => text.startsWith('doc:'),
  joinPeriodMs: 1,
  readingLimitMs: 1,
  mostUsers: 9,
};

function ask(signal = new AbortController().signal) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  return { input, output, answer: askForDocument({ planned, hosting, signal, input, output }) };
}

test('says which trial needs what, asks until a link of the form comes, and gives it', async () => {
  const { input, output, answer } = ask();
  input.write('nonsense\n');
  await new Promise((resolve) => setTimeout(resolve, 20));
  input.write('  doc:7 \n');
  expect(await answer).toBe('doc:7');
  const said = String(output.read());
  expect(said).toContain('theirs-optquill-2, trial 2, needs an empty document');
  expect(said).toContain('"nonsense" is no link of that form');
});

test('ends with the interrupt, or with the input', async () => {
  const interrupt = new AbortController();
  const interrupted = ask(interrupt.signal).answer;
  interrupt.abort(new Error('Ctrl-C'));
  await expect(interrupted).rejects.toThrow('Ctrl-C');
  const { input, answer } = ask();
  input.end();
  await expect(answer).rejects.toThrow('no link was given: the input ended');
});
