/** A whole run on workers that are started elsewhere: here as processes of this machine, reached by its outer address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createToken } from '../infra/channel/token.ts';
import { freePort } from '../infra/network/listen-on.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { folderOfAllTests } from './folders.ts';

const EXPERIMENT = `
name: workers
frameworks: yjs
modes: noquill
users: 2
readers: 3
trials: 1
durations: { warmUp: 1s, measure: 4s, profile: 1s, settle: 10s }
typing: { keysPerSecond: 10, sigilPeriod: 1s }
`;

const folder = folderOfAllTests();
const started: ChildProcess[] = [];
afterAll(async () => {
  for (const process of started) process.kill('SIGKILL');
});

function start(file: string, args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, TMPDIR: folder.path, ...environment },
  });
  started.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  return once(child, 'close').then(([code]) => ({ code, said }));
}

async function allFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

test('gives a valid trial, dismisses every worker, and writes no secret down', async () => {
  const file = folder.in('experiment.yaml');
  await writeFile(file, EXPERIMENT);
  // Loopback will do where there is no other address: then only the page's detour goes untried.
  const host =
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
  const token = createToken();
  const shared = { SCRIPTORIUM_DISPATCHER: `ws://${host}:${await freePort(host)}`, SCRIPTORIUM_TOKEN: token };
  // Two of the readers have a client, and the third is a socket.
  const roles = ['server', ...Array<string>(5).fill('users')];
  const workers = roles.map((role) => start('infra/workers/main.ts', [], { ...shared, SCRIPTORIUM_ROLE: role }));
  const out = folder.in('run');
  const cli = await start('cli/main.ts', ['run', file, '--on', 'workers', '--out', out], shared);
  expect(cli.said).toMatch(/yjs-noquill\S*-2, trial 1: valid/);
  expect(cli.code).toBe(0);
  for (const worker of await Promise.all(workers)) {
    expect(worker.said).toContain('the run is over');
    expect(worker.code).toBe(0);
  }
  const environment = JSON.parse(await readFile(join(out, 'environment.json'), 'utf8'));
  expect(environment).toMatchObject({ fleet: 'workers', limits: null });

  const files = await allFiles(out);
  expect(files.length).toBeGreaterThan(8);
  for (const path of files) {
    const content = await readFile(path);
    const text = (path.endsWith('.gz') ? gunzipSync(content) : content).toString();
    // Neither the run's token, nor any address in which a trial's stands, such as those of scripts in a profile.
    expect(text, path).not.toContain(token);
    expect(text, path).not.toMatch(/(http|ws):\/\/[^/"]+\/[\w-]{32}\//);
  }
  expect(cli.said).not.toContain(token);
});

test('without an address and a token to wait with, the run does not begin, and says what to set', async () => {
  const { code, said } = await start('cli/main.ts', ['run', folder.in('experiment.yaml'), '--on', 'workers'], {
    SCRIPTORIUM_DISPATCHER: 'somewhere',
    SCRIPTORIUM_TOKEN: 'too-small',
  });
  expect(code).toBe(3);
  expect(said).toMatch(/the workers fleet needs SCRIPTORIUM_DISPATCHER and SCRIPTORIUM_TOKEN/);
  expect(said).not.toContain('too-small');
});
