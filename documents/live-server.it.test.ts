/** A server's process that never comes as far as to listen. */
import { expect, test, vi } from 'vitest';
import { ABOUT } from '../frameworks/test-data/small-project.ts';
import { allProcessStats } from '../infra/process/stat.ts';
import { folderOfEachTest } from '../tests/folders.ts';
import { besideServer } from './live-server.ts';

const folder = folderOfEachTest();

test('a trial that is interrupted while its server does not listen ends with the reason, and nothing is left', async () => {
  await folder.put('mute/package.json', '{ "name": "mute", "version": "1.0.0", "type": "module" }');
  await folder.put('mute/about.ts', `export const about = ${JSON.stringify({ ...ABOUT, package: null })};`);
  await folder.put('mute/client.ts', 'export const client = {};');
  await folder.put('mute/server.ts', 'export const server = { start: () => new Promise(() => {}) };');
  vi.stubEnv('SCRIPTORIUM_OUTSIDE', JSON.stringify({ mute: folder.in('mute') }));
  const interrupt = new AbortController();
  const given = { framework: 'mute', folder: folder.path, signal: interrupt.signal };
  const trial = besideServer(given, async () => 'it listens');
  setTimeout(() => interrupt.abort(new Error('enough')), 1000);
  await expect(trial).rejects.toThrow('enough');
  const left = () => allProcessStats().filter(({ parent, ended }) => parent === process.pid && !ended).length;
  await expect.poll(left).toBe(0);
  vi.unstubAllEnvs();
});
