import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderOfEachTest } from '../tests/folders.ts';
import { addTracesCommand } from './traces-command.ts';

const directory = folderOfEachTest();
let file: string;
beforeEach(async () => {
  vi.stubEnv('SCRIPTORIUM_CACHE', directory.path);
  file = directory.in('mine.json');
  await writeFile(file, '{"startContent":"","endContent":"a","txns":[{"patches":[[0,0,"a"]]}]}');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The output of the command line `traces …`. */
async function run(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      written[stream] += chunk;
      return true;
    });
  }
  // The test runner has replaced this one, which writes past the stream.
  vi.spyOn(console, 'log').mockImplementation((text) => {
    written.stdout += `${text}\n`;
  });
  const program = new Command();
  addTracesCommand(program);
  await program.parseAsync(['traces', ...words], { from: 'user' });
  return written;
}

test('check says that a trace is whole, and stores nothing', async () => {
  const { stdout, stderr } = await run('check', file);
  expect(stdout).toBe(`${file} is whole: 1 sequential transaction replays to its endContent.\n`);
  expect(stderr).toBe(`Replaying ${file}\n`);
  expect((await run('list')).stdout).not.toContain('mine');
});

test('add stores a trace, which list and show then know', async () => {
  expect((await run('add', file, '--name', 'own')).stdout).toMatch(
    /^Added "own": .*\n.*\nsha256 .*\nUse it with --trace own\.\n$/,
  );
  expect((await run('list')).stdout).toMatch(/^own +in cache +– +added from a file$/m);
  expect((await run('show', 'own')).stdout).toMatch(/^ {2}key +1 +100\.0 %$/m);
});

test('list names the catalogued traces with their licences', async () => {
  expect((await run('list')).stdout).toMatch(/^automerge-paper +not fetched +CC BY 4\.0 +one author/m);
});

test('show says that the synthetic trace is synthetic', async () => {
  expect((await run('show', 'synthetic')).stdout).toMatch(
    /^Synthetic: generated, typed by nobody\.\n\nkind +sequential\n/,
  );
});

test('errors are thrown, for the command line to show', async () => {
  await expect(run('show', 'none')).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
  await expect(run('fetch', 'none', 'other')).rejects.toThrow(/no trace "none"/);
  await expect(run('add', directory.path, '--name', 'x')).rejects.toThrow(/: it is a folder\. Give the path/);
  await expect(run('add', directory.in('none.json'))).rejects.toThrow(/: there is no such file\. Give the path/);
});
