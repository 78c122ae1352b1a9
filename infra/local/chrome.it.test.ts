import { chmod, mkdir } from 'node:fs/promises';
import { detectBrowserPlatform } from '@puppeteer/browsers';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { chromeVersion, findChrome } from './chrome.ts';

const folder = folderOfEachTest();

/** @returns its path */
async function program(name: string, text = 'echo "Chromium 141.0.7390.37 built on Debian"'): Promise<string> {
  await folder.put(name, `#!/bin/sh\n${text}\n`);
  await chmod(folder.in(name), 0o755);
  return folder.in(name);
}
const nowhere = () => folder.in('no-download');

test('SCRIPTORIUM_CHROME comes first', async () => {
  const named = await program('mine');
  await program('bin/chromium');
  expect(await findChrome({ SCRIPTORIUM_CHROME: named, PATH: folder.in('bin') }, nowhere())).toBe(named);
});

test('SCRIPTORIUM_CHROME that names nothing is an error, not ignored', async () => {
  const finding = findChrome({ SCRIPTORIUM_CHROME: '/no/chrome', PATH: '' }, nowhere());
  await expect(finding).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('"/no/chrome"') });
});

test.skipIf(process.platform === 'darwin')(
  'the system’s: Google Chrome before Chromium, whatever the folder',
  async () => {
    await program('a/chromium');
    const chrome = await program('b/google-chrome');
    expect(await findChrome({ PATH: `${folder.in('a')}:${folder.in('b')}` }, nowhere())).toBe(chrome);
  },
);

test.skipIf(process.platform === 'darwin')('a folder, a plain file and a snap’s stub are no Chrome', async () => {
  await mkdir(folder.in('google-chrome'));
  await folder.put('chromium', 'text');
  await program('chromium-browser', 'exec /snap/bin/chromium "$@"');
  await expect(findChrome({ PATH: folder.path }, nowhere())).rejects.toMatchObject({ exitCode: 3 });
});

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'a downloaded one, where the system has none',
  async () => {
    const platform = detectBrowserPlatform();
    const path = await program(`download/chrome/${platform}-141.0.7390.37/chrome-linux64/chrome`);
    expect(await findChrome({ PATH: '' }, folder.in('download'))).toBe(path);
  },
);

test('the version, or why it does not start', async () => {
  expect(await chromeVersion(await program('good'))).toBe('Chromium 141.0.7390.37');
  const silent = await program('silent', 'exit 0');
  await expect(chromeVersion(silent)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/it says ""/),
  });
  const broken = await program('broken', 'echo "libnss3.so: cannot open shared object" >&2; exit 127');
  await expect(chromeVersion(broken)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('libnss3.so: cannot open shared object'),
  });
});
