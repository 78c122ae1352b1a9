import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectBrowserPlatform } from '@puppeteer/browsers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chromeVersion, findChrome } from './chrome.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chrome-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(path: string, text = 'echo "Chromium 141.0.7390.37 built on Debian"'): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}
const nowhere = () => join(folder, 'no-download');

test('SCRIPTORIUM_CHROME comes first', async () => {
  const named = await program(join(folder, 'mine'));
  await program(join(folder, 'bin/chromium'));
  expect(await findChrome({ SCRIPTORIUM_CHROME: named, PATH: join(folder, 'bin') }, nowhere())).toBe(named);
});

test('SCRIPTORIUM_CHROME that names nothing is an error, not ignored', async () => {
  const finding = findChrome({ SCRIPTORIUM_CHROME: '/no/chrome', PATH: '' }, nowhere());
  await expect(finding).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('"/no/chrome"') });
});

test.skipIf(process.platform === 'darwin')(
  'the system’s: Google Chrome before Chromium, whatever the folder',
  async () => {
    await program(join(folder, 'a/chromium'));
    const chrome = await program(join(folder, 'b/google-chrome'));
    expect(await findChrome({ PATH: `${folder}/a:${folder}/b` }, nowhere())).toBe(chrome);
  },
);

test.skipIf(process.platform === 'darwin')('a folder, a plain file and a snap’s stub are no Chrome', async () => {
  await mkdir(join(folder, 'google-chrome'));
  await writeFile(join(folder, 'chromium'), 'text');
  await program(join(folder, 'chromium-browser'), 'exec /snap/bin/chromium "$@"');
  await expect(findChrome({ PATH: folder }, nowhere())).rejects.toMatchObject({ exitCode: 3 });
});

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'a downloaded one, where the system has none',
  async () => {
    const platform = detectBrowserPlatform();
    const path = join(folder, `download/chrome/${platform}-141.0.7390.37/chrome-linux64/chrome`);
    await program(path);
    expect(await findChrome({ PATH: '' }, join(folder, 'download'))).toBe(path);
  },
);

test('the version, or why it does not start', async () => {
  expect(await chromeVersion(await program(join(folder, 'good')))).toBe('Chromium 141.0.7390.37');
  const silent = await program(join(folder, 'silent'), 'exit 0');
  await expect(chromeVersion(silent)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/it says ""/),
  });
  const broken = await program(join(folder, 'broken'), 'echo "libnss3.so: cannot open shared object" >&2; exit 127');
  await expect(chromeVersion(broken)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('libnss3.so: cannot open shared object'),
  });
});
