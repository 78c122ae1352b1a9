import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { drawWorld } from '../frameworks/explore/draw.ts';
import { scriptorium } from '../tests/command-line.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { keepFinding } from './explore-command.ts';

const folder = folderOfEachTest();

test('a finding names the flags with which its seed draws the world that it shrank from', async () => {
  const finding = {
    ...{ framework: 'one', frameworkVersion: '1.0.0', after: [], count: 1, repeats: true },
    world: drawWorld(7, { servers: 2 }),
    backing: { servers: 3, hasStore: true },
    broken: { invariant: 'agree', text: 'they differ' },
    told: { story: [], trace: [], diagram: { names: [], notes: [], messages: [] } },
  };
  await keepFinding(finding, { folder: folder.path, kept: [] });
  const story = await readFile(folder.in('one-agree-1.md'), 'utf8');
  expect(story).toContain('one 1.0.0, seed 7 with --servers 3 --store: the same each time');
});

test('a folder that cannot take what is found, or has findings already, is refused before anything is played', async () => {
  await folder.put('file', '');
  await folder.put('found/worlds.jsonl', 'kept');
  const explore = (out: string) => scriptorium('explore', 'loopback', '--worlds', '1', '--out', folder.in(out));
  expect(await explore('file')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/it is a file, or lies below/),
  });
  expect(await explore('found')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/holds what was found before/),
  });
  expect(await readFile(folder.in('found/worlds.jsonl'), 'utf8')).toBe('kept');
});
