/** The launcher, and what it installs. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAlive } from '../results/run-folder/process-name.ts';
import { folder, launch, put, putNpm, putReadyPackages } from './launcher-rig.ts';

test('installs the packages once, then is silent; passes on arguments and folder, also through a link', () => {
  putNpm();
  symlinkSync('project/scriptorium', join(folder, 'link'));
  const first = launch(['plan', 'a b.yaml', '--users', '2,4'], { as: 'link' });
  expect(first.steps).toEqual([
    expect.stringContaining('first start: '),
    expect.stringMatching(/\(npm ci\): \d+ MB of disk/),
  ]);
  expect(JSON.parse(first.stdout)).toEqual({ cwd: folder, args: ['plan', 'a b.yaml', '--users', '2,4'] });
  expect(launch(['list'])).toMatchObject({ status: 0, steps: [] });
});

test('help and version need nothing, and install nothing', () => {
  put('project/cli/help.txt', 'Usage\n');
  for (const args of [[], ['--help'], ['run', '--help']]) {
    expect(launch(args)).toMatchObject({ status: 0, stdout: 'Usage\n' });
  }
  put('project/package.json', '{\n  "type": "module",\n  "version": "1.2.3"\n}\n');
  expect(launch(['--version']).stdout).toMatch(/^scriptorium 1\.2\.3\nNode v\d+.*\nChrome: none yet\n$/);
  expect(existsSync(join(folder, 'project/.scriptorium'))).toBe(false);
});

test('only what every run needs is installed, without install scripts; tools of tests that were there come back', () => {
  putNpm(
    'echo "$* $npm_config_ignore_scripts" >>"$prefix/../../asked"; mkdir -p "$prefix/node_modules" && echo {} >"$prefix/node_modules/.package-lock.json"',
  );
  put('project/node_modules/vitest/package.json', '{}');
  const { status, stdout } = launch(['list']);
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'project/asked'), 'utf8')).toMatch(/^ci --omit=dev .* true\n$/);
  expect(
    stdout
      .split('\n')
      .slice(0, 2)
      .map((line) => JSON.parse(line).args),
  ).toEqual([['install', '--tests'], ['list']]);
});

test.each([
  [
    'SCRIPTORIUM_APT=no forbids it',
    '0',
    { SCRIPTORIUM_APT: 'no' },
    /not installing Chromium .*; as root: apt-get update && apt-get install -y /,
  ],
  ['only root may', '1000', {}, /not installing Chromium .*; as root: apt-get update && apt-get install -y /],
  [
    'without a terminal it says so and goes on',
    '0',
    {},
    /installing Chromium .* by apt-get as root \(SCRIPTORIUM_APT=no forbids it\)/,
  ],
] as const)('a Chrome from apt-get: %s', (_, id, environment, told) => {
  putReadyPackages();
  rmSync(join(folder, 'bin/id'));
  put('bin/id', `#!/bin/sh\necho ${id}\n`, 0o755);
  put('bin/apt-get', `#!/bin/sh\necho "$*" >>${JSON.stringify(join(folder, 'apt'))}\n`, 0o755);
  // As if on Debian, wherever the test runs.
  rmSync(join(folder, 'bin/grep'));
  put('bin/grep', '#!/bin/sh\nexit 0\n', 0o755);
  const { status, steps } = launch(['demo'], { environment });
  expect(status).toBe(3);
  expect(steps).toContainEqual(expect.stringMatching(told));
  expect(existsSync(join(folder, 'apt'))).toBe(id === '0' && !('SCRIPTORIUM_APT' in environment));
});

test('a failed installation leaves no half, says npm’s reason, and is repaired by the next call', () => {
  putNpm('mkdir -p "$prefix/node_modules/half"; echo "npm error code ENOTFOUND"; exit 1');
  const failed = launch(['list']);
  expect(failed).toMatchObject({ status: 3, stdout: '' });
  expect(failed.steps.at(-1)).toMatch(/^scriptorium: the packages could not be installed \(ENOTFOUND, see /);
  expect(existsSync(join(folder, 'project/node_modules/half'))).toBe(false);
  expect(existsSync(join(folder, 'project/.scriptorium/lock'))).toBe(false);
  putNpm();
  expect(launch(['list']).status).toBe(0);
});

test('installs again where the lock file changed', () => {
  putReadyPackages();
  expect(launch(['list']).steps).toEqual([]);
  put('project/package-lock.json', '{ "changed": true }');
  expect(launch(['list']).steps).toEqual([expect.stringContaining('first start'), expect.stringContaining('npm ci')]);
});

test('installs again where a package was removed', () => {
  put('project/package.json', '{\n  "type": "module",\n  "dependencies": {\n    "@some/one": "1.0.0"\n  }\n}\n');
  putReadyPackages();
  put('project/node_modules/@some/one/package.json', '{}');
  expect(launch(['list']).steps).toEqual([]);
  rmSync(join(folder, 'project/node_modules/@some/one'), { recursive: true });
  putNpm('mkdir -p "$prefix/node_modules/@some/one" && echo {} >"$prefix/node_modules/.package-lock.json"');
  expect(launch(['list']).steps).toEqual([expect.stringContaining('first start'), expect.stringContaining('npm ci')]);
});

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s while it installs ends npm too', async (signal) => {
  putNpm('echo $$ >"$prefix/npm" && exec sleep 30');
  const launcher = spawn(join(folder, 'project/scriptorium'), ['list'], { env: { PATH: join(folder, 'bin') } });
  const ended = once(launcher, 'close');
  const work = join(folder, 'project/.scriptorium');
  const npm = await vi.waitUntil(() => {
    const partial = existsSync(work) && readdirSync(work).find((name) => name.startsWith('partial.'));
    const path = partial && join(work, partial, 'npm');
    return path && existsSync(path) && Number(readFileSync(path, 'utf8'));
  }, 30_000);
  launcher.kill(signal);
  expect(await ended).toEqual([signal === 'SIGINT' ? 130 : 143, null]);
  await expect.poll(() => isAlive(npm)).toBe(false);
  expect(readdirSync(work)).toEqual(['install.log', 'running']);
});

/** A command that waits for its end, as a campaign does for days. @returns once it runs */
async function startCampaign(): Promise<() => Promise<unknown>> {
  put(
    'project/cli/main.ts',
    `if (process.argv[2] === 'campaign') { console.log('runs'); setInterval(() => {}, 1000); }`,
  );
  const environment = { PATH: join(folder, 'bin'), SCRIPTORIUM_CHROME: '/any' };
  const campaign = spawn(join(folder, 'project/scriptorium'), ['campaign', 'x'], { env: environment });
  const ended = once(campaign, 'close');
  await once(campaign.stdout, 'data');
  return () => {
    campaign.kill('SIGKILL');
    return ended;
  };
}

test.runIf(process.platform === 'linux').each(['flock', 'fuser'])(
  'packages under a running command stay, also when it is killed: %s',
  async (tool) => {
    const path = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim();
    rmSync(join(folder, 'bin/flock'), { force: true });
    // Without psmisc: what it would tell is in /proc.
    const look = 'for fd in /proc/[0-9]*/fd/9; do [ "$(readlink "$fd")" != "$1" ] || echo "$fd"; done';
    if (tool === 'fuser') put('bin/fuser', `#!/bin/sh\n${look}\n`, 0o755);
    else symlinkSync(path, join(folder, 'bin/flock'));
    putReadyPackages();
    const kill = await startCampaign();
    expect(launch(['list'])).toMatchObject({ status: 0, steps: [] });
    put('project/package-lock.json', '{ "changed": true }');
    const { status, steps } = launch(['list']);
    expect(status).toBe(3);
    expect(steps.at(-1)).toMatch(/^scriptorium: another .* uses .*\/node_modules, which must be replaced; wait until/);
    expect(existsSync(join(folder, 'project/node_modules/.package-lock.json'))).toBe(true);
    expect(existsSync(join(folder, 'project/.scriptorium/lock'))).toBe(false);
    await kill();
    expect(launch(['list'])).toMatchObject({
      status: 0,
      steps: [expect.any(String), expect.stringContaining('npm ci')],
    });
  },
);

test('where nothing can be written, a command that has all it needs runs', () => {
  putReadyPackages();
  symlinkSync('/no/such/folder/running', join(folder, 'project/.scriptorium/running'));
  expect(launch(['list'])).toMatchObject({ status: 0, steps: [] });
});

test('without npm it says what to do', () => {
  const { status, steps } = launch(['list']);
  expect(status).toBe(3);
  expect(steps.at(-1)).toMatch(/^scriptorium: npm is missing; install it/);
});

test('of a wrong NODE_OPTIONS Node itself tells, and nothing is installed', () => {
  putReadyPackages();
  const { status, steps } = launch(['list'], { environment: { NODE_OPTIONS: '--no-such-option' } });
  expect(status).not.toBe(0);
  expect(steps).toEqual([expect.stringContaining('--no-such-option is not allowed in NODE_OPTIONS')]);
});

test('a lock whose holder is gone holds nobody up', () => {
  putNpm();
  mkdirSync(join(folder, 'project/.scriptorium'));
  const gone = spawnSync('true').pid;
  symlinkSync(String(gone), join(folder, 'project/.scriptorium/lock'));
  expect(launch(['list'])).toMatchObject({
    status: 0,
    steps: [expect.stringContaining('first start'), expect.stringContaining('npm ci')],
  });
});

test('where no symbolic link can be made, it says so', () => {
  putNpm();
  rmSync(join(folder, 'bin/ln'));
  put('bin/ln', '#!/bin/sh\nexit 1\n', 0o755);
  const { status, steps } = launch(['list']);
  expect([status, steps.at(-1)]).toEqual([3, expect.stringContaining('cannot make a symbolic link in ')]);
});
