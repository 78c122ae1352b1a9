/** The steps of action.yml, with a launcher and a gh that only note how they are called, and what they can see. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../infra/project.ts';
import { folderOfEachTest } from './folders.ts';

const folder = folderOfEachTest();
const MARKER = '<!-- scriptorium mine -->';

function program(path: string, ...lines: string[]): void {
  writeFileSync(folder.in(path), ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(folder.in(path), 0o755);
}

beforeEach(() => {
  for (const name of ['.ci', 'bin', 'temp']) mkdirSync(folder.in(name));
  for (const name of ['pull-request', 'comment']) copyFileSync(`${PROJECT_ROOT}/.ci/${name}`, folder.in(`.ci/${name}`));
  execFileSync('git', ['init', '-q', folder.path]);
});

function step(name: string, environment: Record<string, string>): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(folder.in(`.ci/${name}`), {
    ...{ cwd: folder.path, encoding: 'utf8' },
    env: { PATH: `${folder.in('bin')}:${process.env.PATH}`, GITHUB_REPOSITORY: 'me/mine', ...environment },
  });
  return { status, printed: stdout + stderr };
}

/** A file of the project. */
const ofProject = (path: string) => readFileSync(`${PROJECT_ROOT}/${path}`, 'utf8');
const read = (name: string) => (existsSync(folder.in(name)) ? readFileSync(folder.in(name), 'utf8') : '');

/** The first step, whose `scriptorium ci` ends with the code. */
function run(code: number, environment: Record<string, string> = {}) {
  program(
    'scriptorium',
    'echo "$@" >> calls; env > seen; for last; do :; done; while [ "$1" != --out ]; do shift; done; mkdir -p "$2"',
    `printf '%s\\n### answer\\n' '${MARKER}' > "$2/comment.md"; echo '::error::no' > "$2/annotations.txt"; exit ${code}`,
  );
  writeFileSync(folder.in('outputs'), '');
  const ran = step('pull-request', {
    ...{ RUNNER_TEMP: folder.in('temp'), FRAMEWORK: './bench/mine' },
    ...{ GITHUB_OUTPUT: folder.in('outputs'), GITHUB_STEP_SUMMARY: folder.in('summary'), ...environment },
  });
  const outputs = Object.fromEntries(
    read('outputs')
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  );
  return { ...ran, outputs, calls: read('calls') };
}

/** The second step, with these comments on the pull request: if the token's user wrote it, its number, its first line. */
function comment(comments: readonly [boolean, number, string][], answer = MARKER) {
  writeFileSync(folder.in('comment.md'), `${answer}\n### answer\n`);
  const lines = (all: typeof comments) => all.map(([, number, line]) => `${number}\t${line}\n`).join('');
  writeFileSync(folder.in('all'), lines(comments));
  writeFileSync(folder.in('own'), lines(comments.filter(([isOwn]) => isOwn)));
  program(
    'bin/gh',
    'echo "gh $*" >> calls',
    'case "$1 $*" in pr*--json*"select(.viewerDidAuthor)"*) cat own ;; pr*) cat all ;; esac',
  );
  const environment = { FOLDER: folder.path, PULL_REQUEST: '7', GH_TOKEN: 'ghs_secret' };
  return {
    ...step('comment', environment),
    calls: read('calls')
      .split('\n')
      .filter((line) => line.includes('--method')),
  };
}

test.each<[number, string, Record<string, string>, number]>([
  [0, 'passed', {}, 0],
  [1, 'regression', {}, 1],
  [2, 'refused', {}, 2],
  [3, 'refused', {}, 3],
  [4, 'broken', {}, 4],
  [5, 'unknown', {}, 0],
  [5, 'unknown', { FAIL_ON_UNKNOWN: 'true' }, 5],
])('exit code %d is the outcome %s', (code, outcome, environment, status) => {
  const ran = run(code, environment);
  expect(ran.status).toBe(status);
  expect(ran.outputs.outcome).toBe(outcome);
  expect(read('summary')).toContain('### answer');
  expect(ran.printed).toContain('::error::no');
  expect(ran.calls).toBe(`ci ./bench/mine --base published --profile quick --out ${ran.outputs.folder}\n`);
});

test('inputs become arguments', () => {
  const inputs = { BASE: '1.2.3', PROFILE: 'careful', BUILD: 'npm run build', FAIL_IF: 'a > +1%\n\nb > +2%\n' };
  const { calls, outputs } = run(0, inputs);
  expect(calls).toBe(
    `ci ./bench/mine --base 1.2.3 --profile careful --out ${outputs.folder} --build npm run build --fail-if a > +1% --fail-if b > +2%\n`,
  );
});

test('the base of a checkout with its history needs no credentials to be fetched', () => {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder.path, ...args], { encoding: 'utf8' }).trim();
  const who = ['-c', 'user.name=me', '-c', 'user.email=me@localhost'];
  git(...who, 'commit', '-q', '--allow-empty', '-m', 'base');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(run(0, { GITHUB_BASE_REF: 'main' }).calls).toContain(`--base ${git('rev-parse', 'HEAD')} `);
});

test('the pull request’s code sees no secret of the job, and no way to give later steps their variables', () => {
  const secrets = { GH_TOKEN: 's3cret', GITHUB_TOKEN: 's3cret', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 's3cret' };
  const files = { GITHUB_ENV: folder.in('variables'), GITHUB_PATH: folder.in('path') };
  run(0, { ...secrets, ...files, MINE: 'needed' });
  expect(read('seen')).toContain('MINE=needed');
  expect(read('seen')).not.toMatch(/s3cret|^GITHUB_(ENV|PATH|OUTPUT)=/m);
});

test('two frameworks, and two steps of one, have answers and artifacts of their own', () => {
  const answers = ['./bench/mine', './bench/mine', '@me/other'].map((FRAMEWORK) => run(0, { FRAMEWORK }).outputs);
  expect(new Set(answers.map(({ artifact }) => artifact)).size).toBe(3);
  expect(answers[0]!.artifact).toMatch(/^scriptorium-bench-mine-\w{6}$/);
  expect(answers[2]!.artifact).toMatch(/^scriptorium-me-other-\w{6}$/);
  expect(readdirSync(folder.in('temp')).sort()).toEqual(answers.map(({ artifact }) => artifact).sort());
});

test('a pull request has one comment, which is replaced', () => {
  expect(comment([[true, 3, 'Hello']]).calls).toEqual([
    expect.stringMatching(/--method POST repos\/me\/mine\/issues\/7\/comments --field body=@.*comment.md$/),
  ]);
  const again = comment([
    [true, 3, 'Hello'],
    [true, 41, '<!-- scriptorium other -->'],
    [true, 42, MARKER],
  ]).calls;
  expect(again.at(-1)).toMatch(/--method PATCH repos\/me\/mine\/issues\/comments\/42 --field body=@.*comment.md$/);
});

test('a comment of somebody else that begins alike is theirs', () => {
  expect(comment([[false, 13, MARKER]]).calls.at(-1)).toContain('--method POST');
  expect(
    comment([
      [false, 13, MARKER],
      [true, 42, MARKER],
    ]).calls.at(-1),
  ).toContain('issues/comments/42 ');
});

test('what is no answer replaces no comment', () => {
  const { status, calls, printed } = comment([[true, 5, 'Reviewed, and fine']], 'Reviewed, and fine');
  expect({ status, calls }).toEqual({ status: 0, calls: [] });
  expect(printed).toContain('::notice::');
});

test('action.yml hands each of its inputs to a step, and its token to the one that runs nothing of the pull request', () => {
  const { inputs, runs } = parse(ofProject('action.yml'));
  const [measure, write] = runs.steps;
  const given = [measure, write].flatMap((each) => [
    each.if ?? '',
    ...Object.values(each.env as Record<string, string>),
  ]);
  for (const name of Object.keys(inputs)) expect(given.join()).toMatch(new RegExp(`inputs\\.${name}\\b`));
  for (const name of Object.keys(measure.env)) expect(ofProject('.ci/pull-request')).toContain(name);
  expect(JSON.stringify(measure)).not.toMatch(/token/i);
  expect(write.run).toContain('.ci/comment');
});

test('actions of others are named by commit, and every job has a limit', () => {
  const workflows = readdirSync(`${PROJECT_ROOT}/.github/workflows`).map((name) => `.github/workflows/${name}`);
  for (const path of ['action.yml', ...workflows]) {
    for (const [, used] of ofProject(path).matchAll(/\buses: (.*)/g))
      expect(used).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d/);
    for (const job of Object.values<Record<string, unknown>>(parse(ofProject(path)).jobs ?? {})) {
      expect(job).toHaveProperty('timeout-minutes');
    }
  }
});

test('one job publishes a release: it runs no code of a package, and waits for those that do', () => {
  const workflow = parse(ofProject('.github/workflows/release.yml'));
  const jobs = Object.entries<{
    needs?: string[];
    permissions?: Record<string, string>;
    steps: { run?: string; uses?: string }[];
  }>(workflow.jobs);
  expect(Object.values(workflow.permissions)).not.toContain('write');
  const publishing = jobs.filter(([, { permissions }]) => Object.values(permissions ?? {}).includes('write'));
  expect(publishing.map(([name]) => name)).toEqual(['publish']);
  const [[, { needs, steps }]] = publishing as [(typeof jobs)[number]];
  expect([...needs!, 'publish'].sort()).toEqual(jobs.map(([name]) => name).sort());
  const lines = steps.map(({ run = '', uses = '' }) => run + uses).join('\n');
  expect(lines).not.toMatch(/actions\/checkout|npm (ci|install|run)|npx|docker (build|run)|\.ci\/|scriptorium run/);
  expect(lines).toContain('npm publish --ignore-scripts');
  expect(lines).toContain('docker push');
});
