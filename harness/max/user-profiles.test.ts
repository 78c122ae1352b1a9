/** The profiles of a trial's users, by the sources of their functions. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { userProfilesOf } from './find-max.ts';

const folder = folderOfEachTest();

describe('the sources of a profile', () => {
  /** Two functions that each ran for 100 µs, one below the other. */
  async function writeProfile(name: string, frames: { url: string; columnNumber: number }[]) {
    const nodes = frames.map((frame, index) => ({
      id: index + 1,
      callFrame: { functionName: 'f', lineNumber: 0, ...frame },
      children: index + 1 < frames.length ? [index + 2] : [],
    }));
    const samples = nodes.map(({ id }) => id);
    const profile = { nodes, samples, timeDeltas: samples.map(() => 100) };
    await folder.put(`profiles/${name}.cpuprofile`, JSON.stringify(profile));
  }

  test('a page’s functions by the source map of the script, whatever the address it was served from', async () => {
    // Column 0 is the first source's first character, column 10 the second's.
    const map = {
      version: 3,
      sources: ['../../../../node_modules/yjs/src/index.js', '../../../../editors/base/quill/screen.ts'],
      names: [],
      mappings: 'AAAA,UCAA',
    };
    const url = 'http://127.0.0.1:1234/(token)/assets/index-abc.js';
    await writeProfile('user-000', [
      { url, columnNumber: 0 },
      { url, columnNumber: 12 },
    ]);
    await folder.put('assets/index-abc.js.map', JSON.stringify(map));
    expect(await userProfilesOf(folder.path, folder.path)).toEqual([
      { busyPercent: 100, percentOf: { framework: 50, editor: 50, browser: 0, harness: 0 } },
    ]);
  });

  test('Node’s by their path', async () => {
    const at = (path: string) => ({ url: pathToFileURL(join(PROJECT_ROOT, path)).href, columnNumber: 0 });
    await writeProfile('user-000', [at('harness/users/user.ts'), at('node_modules/yjs/dist/yjs.mjs')]);
    expect(await userProfilesOf(folder.path, folder.path)).toMatchObject([
      { percentOf: { framework: 50, harness: 50 } },
    ]);
  });

  test('a profile of a page that was built from other sources says nothing; a server’s is not a user’s', async () => {
    await writeProfile('user-000', [{ url: 'http://127.0.0.1/assets/index-old.js', columnNumber: 0 }]);
    await writeProfile('server', [
      { url: pathToFileURL(join(PROJECT_ROOT, 'servers/relay.ts')).href, columnNumber: 0 },
    ]);
    expect(await userProfilesOf(folder.path, folder.path)).toEqual([]);
    expect(await userProfilesOf(folder.in('assets'), folder.path)).toEqual([]);
  });

  test('one that is cut off says nothing, and the others stand', async () => {
    await writeProfile('user-000', [
      { url: pathToFileURL(join(PROJECT_ROOT, 'harness/users/user.ts')).href, columnNumber: 0 },
    ]);
    await folder.put('profiles/user-001.cpuprofile', '{"nodes":[{"id":1,');
    await folder.put('profiles/user-002.cpuprofile', '');
    expect(await userProfilesOf(folder.path, folder.path)).toMatchObject([{ percentOf: { harness: 100 } }]);
  });
});
