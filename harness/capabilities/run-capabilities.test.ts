import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAPABILITIES, LIBRARIES } from './capabilities.ts';
import { librariesNamed, runCapabilities } from './run-capabilities.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-capabilities-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const [capability] = CAPABILITIES;
const never = new AbortController().signal;

async function outcomesOf(program: string, limitMs = 20_000) {
  const main = join(folder, 'main.mjs');
  await writeFile(main, program);
  const libraries = librariesNamed(['yjs', 'loro']);
  const cells = await runCapabilities({ libraries, capabilities: [capability!], signal: never, main, limitMs });
  return cells.map(({ library, outcome }) => ({ name: library.name, ...outcome }));
}

test('a program’s outcome is its last line, whatever its library prints', async () => {
  const program = `console.log('a warning');\nconsole.log(JSON.stringify({ mark: 'no', why: process.argv.slice(2).join() }));`;
  expect(await outcomesOf(program)).toEqual([
    { name: 'yjs', mark: 'no', why: `${capability!.id},yjs` },
    { name: 'loro', mark: 'no', why: `${capability!.id},loro` },
  ]);
});

test('a program that throws has failed, and spoils no other', async () => {
  const program = `if (process.argv[3] === 'yjs') throw new Error('out of luck');\nconsole.log('{"mark":"yes"}');`;
  expect(await outcomesOf(program)).toEqual([
    { name: 'yjs', failed: expect.stringContaining('out of luck') },
    { name: 'loro', mark: 'yes' },
  ]);
});

test('a program that hangs is ended, and has failed', async () => {
  const failed = 'it was not done after 0.5 s';
  expect(await outcomesOf('while (true);', 500)).toEqual([
    { name: 'yjs', failed },
    { name: 'loro', failed },
  ]);
});

test('a real program runs in its process', async () => {
  const cells = await runCapabilities({
    libraries: librariesNamed(['yjs']),
    capabilities: [capability!],
    signal: never,
  });
  expect(cells.map(({ outcome }) => outcome)).toEqual([{ mark: 'yes' }]);
});

test('a library without programs is refused with those that there are', () => {
  expect(librariesNamed([])).toEqual(LIBRARIES);
  expect(() => librariesNamed(['yjs', 'word'])).toThrow('there are no programs for "word"; write of: yjs');
});
