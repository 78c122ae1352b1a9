import { writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { startRegistry } from '../frameworks/packages/test-data/local-registry.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { CAPABILITIES, LIBRARIES } from './capabilities.ts';
import { librariesNamed, readyLibraries, runCapabilities } from './run-capabilities.ts';

const folder = folderOfEachTest();

const [capability] = CAPABILITIES;
const never = new AbortController().signal;

async function outcomesOf(program: string, limitMs = 20_000) {
  const main = folder.in('main.mjs');
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
  expect(() => librariesNamed(['yjs', 'word'])).toThrow('there are no programs for "word"; write of: yjs');
});

test('packages on demand are installed where their library is named, and its programs find them', async () => {
  const library = LIBRARIES.find(({ onDemand }) => onDemand !== undefined)!;
  const registry = await startRegistry(
    Object.entries(library.onDemand!.packages).map(([name, version]) => ({
      name,
      version,
      files: { 'index.js': 'export class Replicache {}' },
      manifest: { type: 'module', exports: './index.js' },
    })),
  );
  for (const [name, value] of Object.entries(registry.environment)) vi.stubEnv(name, value);
  try {
    const said: string[] = [];
    const say = (text: string) => said.push(text);
    expect(await readyLibraries([], { say })).toEqual(LIBRARIES.filter((each) => each !== library));
    expect(said).toEqual([
      'replicache is left out: it takes replicache 15.3.0, @rocicorp/undo 0.2.1, which are not installed; check --capabilities replicache installs them',
    ]);
    const libraries = await readyLibraries([library.name], { say });
    expect(said[1]).toMatch(/^Installing replicache 15\.3\.0 /);
    const capabilities = CAPABILITIES.filter(({ id }) => id === 'presence');
    const [cell] = await runCapabilities({ libraries, capabilities, signal: never });
    expect(cell!.outcome).toMatchObject({ mark: 'not offered' });
    expect(await readyLibraries([], { say })).toEqual(LIBRARIES);
  } finally {
    vi.unstubAllEnvs();
    await registry.close();
  }
});
