import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, launch, put, putReadyPackages } from './launcher-rig.ts';

test('looks for a Chrome once, and only where the command needs one', () => {
  putReadyPackages();
  put('chrome', '', 0o755);
  for (const args of [
    ['plan', 'x.yaml'],
    ['demo', '--help'],
    ['campaign', 'x', '--plan'],
    ['check', '--capabilities'],
    ['run', 'x', '--on', 'compose'],
    ['run', 'x', '--on=fargate'],
  ]) {
    expect(launch(args)).toMatchObject({ status: 0, steps: [] });
  }
  const chrome = { STAND_IN_CHROME: join(folder, 'chrome') };
  expect(launch(['run', 'x', '--on', 'local']).steps.join()).toContain('downloading Chrome');
  expect(launch(['campaign', 'x'], { environment: chrome })).toMatchObject({ status: 0, steps: [] });
  expect(existsSync(join(folder, 'project/.scriptorium/chrome-path'))).toBe(true);
  for (const args of [['demo'], ['run', 'x.yaml'], ['check']])
    expect(launch(args)).toMatchObject({ status: 0, steps: [] });
});

test('without any Chrome it says in one sentence what to do', () => {
  putReadyPackages();
  // Not root, so that it installs nothing on the machine.
  rmSync(join(folder, 'bin/id'));
  put('bin/id', '#!/bin/sh\necho 1000\n', 0o755);
  const { status, steps } = launch(['demo']);
  expect(launch(['check']).status).toBe(3);
  expect(status).toBe(3);
  expect(steps[0]).toMatch(/^scriptorium: downloading Chrome stable into \.scriptorium\/chrome: \d+ MB of disk/);
  expect(steps.at(-1)).toMatch(
    /^scriptorium: no Chrome could be installed .*; install Google Chrome or Chromium, or set/,
  );
});

/** The Chrome that is there to be downloaded: this program, beside this list of the libraries that it needs. */
function putDownload(content: string, deps = ''): void {
  put(
    'project/node_modules/@puppeteer/browsers/lib/main-cli.js',
    `import { mkdirSync, writeFileSync } from 'node:fs';
     process.chdir(mkdirSync(process.argv[process.argv.indexOf('--path') + 1] + '/chrome/linux-1.2.3/chrome-linux64', { recursive: true }) + '/linux-1.2.3/chrome-linux64');
     writeFileSync('chrome', ${JSON.stringify(content)}), writeFileSync('deb.deps', ${JSON.stringify(deps)});`,
  );
  put('project/node_modules/@puppeteer/browsers/package.json', '{ "type": "module" }');
}

test('a build of Chrome that comes again must be the same', () => {
  putReadyPackages();
  const environment = { STAND_IN_CHROME: join(folder, 'chrome') };
  const asked = (version = 'stable') => launch(['--chrome', version, 'demo'], { environment });
  const download = () => asked().steps.join('\n');
  putDownload('first');
  expect(download() + download()).not.toContain('refused');
  const digests = readFileSync(join(folder, 'project/.scriptorium/chrome-digests'), 'utf8');
  expect(digests).toMatch(/^linux-1\.2\.3 [0-9a-f]{64}\n$/);
  putDownload('tampered with');
  expect(download()).toMatch(
    /refused Chrome linux-1\.2\.3: its SHA-256 is [0-9a-f]{64}, that of an earlier download was/,
  );
  const kept = join(folder, 'project/.scriptorium/chrome-asked/chrome/linux-1.2.3/chrome-linux64/chrome');
  expect(readFileSync(kept, 'utf8')).toBe('first');
  // By its number it is asked for no more.
  expect(asked('1.2.3')).toMatchObject({ status: 0, steps: [] });
  // Nor is another one taken in its place.
  expect(asked()).toMatchObject({ status: 3, stdout: '' });
});

test.each([
  [
    'names, versions, alternatives',
    'ca-certificates\nlibgtk-3-0 (>= 3.9.10) | libgtk-4-1\nlibx11-6 (>= 2:1.4.99.1)\n',
    true,
  ],
  ['a conflict', 'libx11-6\nConflicts: sudo\n', false],
  ['an option', '-o=APT::Update::Pre-Invoke::=id\n', false],
  ['a command', 'libx11-6; id\n', false],
])('of the list that came with Chrome, apt-get as root takes or refuses %s', (_what, deps, isPlain) => {
  putReadyPackages();
  putDownload('needs libraries', deps);
  put('bin/apt-get', `#!/bin/sh\necho "$@" >>"${folder}/apt-calls"\n`, 0o755);
  rmSync(join(folder, 'bin/id'));
  put('bin/id', '#!/bin/sh\necho 0\n', 0o755);
  const { steps } = launch(['demo']);
  const calls = existsSync(join(folder, 'apt-calls')) ? readFileSync(join(folder, 'apt-calls'), 'utf8') : '';
  expect(calls.includes(`satisfy -y --no-install-recommends ${deps.trim().replaceAll('\n', ',')}`)).toBe(isPlain);
  expect(steps.some((step) => step.includes('holds more than names of packages'))).toBe(!isPlain);
});
