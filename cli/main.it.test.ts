import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeHandMadeRun } from '../analysis/test-data/hand-made-run.ts';
import { PROJECT_ROOT } from '../infra/project.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

function scriptorium(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    // With no trace fetched, whatever this machine holds.
    const options = { cwd: PROJECT_ROOT, env: { ...process.env, SCRIPTORIUM_CACHE: join(folder, 'cache') } };
    const child = execFile(process.execPath, ['cli/main.ts', ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin!.end();
  });
}

describe('the command line', () => {
  test('lists its exit codes in its help', async () => {
    const { code, stdout } = await scriptorium('traces', 'add', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/130 +interrupted/);
  });

  test('an unknown command or flag is exit code 2, with what was meant', async () => {
    expect(await scriptorium('rnu')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean run?') });
    expect(await scriptorium('run', 'x.yaml', '--user', '2')).toMatchObject({ code: 2 });
    expect(await scriptorium('run')).toMatchObject({ code: 2, stderr: expect.stringContaining("'file'") });
  });

  test.concurrent.each<[string[], string]>([
    [['--verison'], 'there is no option "--verison" (did you mean "--version"?)'],
    [['quick', 'yjs', '--users', '4,8'], 'from 1 to 1296; run FILE --users 4,8 takes several'],
    [['run', '-'], 'nothing came from the standard input'],
  ])('%j is refused with what to do', async (args, message) => {
    expect(await scriptorium(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('a trace that is not there, and a folder that holds a run already, are refused with what to do', async () => {
    const smoke = 'harness/experiments/smoke.yaml';
    const unknown = await scriptorium('run', smoke, '--trace', 'nope', '--out', join(folder, 'a'));
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('traces add FILE') });
    await writeFile(
      join(folder, 'plan.json'),
      '{"schemaVersion":1,"startedAt":"2027-01-01T00:00:00.000Z","experiment":{"name":"x"},"trials":[]}',
    );
    const taken = await scriptorium('run', smoke, '--out', folder);
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('--resume') });
    const other = await scriptorium('run', smoke, '--out', folder, '--resume');
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('another experiment') });
    const none = await scriptorium('run', smoke, '--out', join(folder, 'nothing'), '--resume');
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no run to resume') });
  });

  test('where results cannot go, a sentence says why, before anything runs', async () => {
    const [run, file] = [join(folder, 'a-run'), join(folder, 'a-file')];
    await writeHandMadeRun(run, { trials: [{ figures: { localMs: 30, endToEndMs: 300, serverCpuPercent: 20 } }] });
    await writeFile(file, '');
    const isFile = new RegExp(
      `^scriptorium: ${file}\\S* cannot be used: it is a file, or lies below one; give a folder$`,
    );
    const isNone = /^scriptorium: \/proc\/nowhere cannot be used: no folder can be made there; give a folder$/;
    const refusals: [RegExp, ...string[]][] = [
      [isFile, 'report', run, '--png', '-o', join(file, 'below')],
      [isFile, 'ci', 'yjs', '--base', 'v1', '-o', file],
      [isNone, 'site', '-o', '/proc/nowhere'],
      [/could not be made.*: no folder can be made there/, 'new-framework', '/proc/nowhere/mine'],
      [/cannot take a run's results/, 'max', 'yjs', '-o', '/proc/nowhere'],
      [/cannot take a run's results/, 'campaign', 'first-question', '-o', join(file, 'below')],
    ];
    await Promise.all(
      refusals.map(async ([message, ...args]) => {
        const { stderr } = await scriptorium(...args);
        expect(stderr.trim().split('\n').at(-1), args.join(' ')).toMatch(message);
        expect(stderr).not.toMatch(/^ +at /m);
      }),
    );
  });
});
