import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawWorld } from '../frameworks/explore/draw.ts';
import { keepFinding } from './explore-command.ts';

test('a finding names the flags with which its seed draws the world that it shrank from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'finding-'));
  const finding = {
    ...{ framework: 'one', frameworkVersion: '1.0.0', after: [], count: 1, repeats: true },
    world: drawWorld(7, { servers: 2 }),
    backing: { servers: 3, hasStore: true },
    broken: { invariant: 'agree', text: 'they differ' },
    told: { story: [], trace: [], diagram: { names: [], notes: [], messages: [] } },
  };
  try {
    await keepFinding(finding, { folder, kept: [] });
    const story = await readFile(join(folder, 'one-agree-1.md'), 'utf8');
    expect(story).toContain('one 1.0.0, seed 7 with --servers 3 --store: the same each time');
  } finally {
    await rm(folder, { recursive: true });
  }
});
