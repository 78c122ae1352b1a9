import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { drawWorld } from '../frameworks/explore/draw.ts';
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
