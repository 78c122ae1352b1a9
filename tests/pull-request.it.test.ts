/** The step of action.yml, with a launcher and a gh that only note how they are called. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  mkdirSync(folder.in('.ci'));
  mkdirSync(folder.in('bin'));
  copyFileSync(`${PROJECT_ROOT}/.ci/pull-request`, folder.in('.ci/pull-request'));
  execFileSync('git', ['init', '-q', folder.path]);
});

function run(
  code: number,
  environment: Record<string, string> = {},
  { comments = '' }: { comments?: string } = {},
): { status: number | null; printed: string; calls: string } {
  program(
    'scriptorium',
    'echo "$@" >> calls; mkdir -p out',
    `printf '%s\\n### answer\\n' '${MARKER}' > out/comment.md; echo '::error::no' > out/annotations.txt; exit ${code}`,
  );
  program('bin/gh', 'echo "gh $@" >> calls', `case "$*" in *paginate*) printf '${comments}';; esac`);
  const { status, stdout, stderr } = spawnSync(folder.in('.ci/pull-request'), {
    ...{ cwd: folder.path, encoding: 'utf8' },
    env: {
      ...{ PATH: `${folder.in('bin')}:${process.env.PATH}`, OUT: 'out', FRAMEWORK: './bench/mine' },
      ...{ GITHUB_REPOSITORY: 'me/mine', GITHUB_OUTPUT: 'outputs', GITHUB_STEP_SUMMARY: 'summary', ...environment },
    },
  });
  const calls = existsSync(folder.in('calls')) ? readFileSync(folder.in('calls'), 'utf8') : '';
  return { status, printed: stdout + stderr, calls };
}

const PULL = { PULL_REQUEST: '7' };

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
  expect(readFileSync(folder.in('outputs'), 'utf8')).toBe(`outcome=${outcome}\nfolder=out\n`);
  expect(readFileSync(folder.in('summary'), 'utf8')).toContain('### answer');
  expect(ran.printed).toContain('::error::no');
  expect(ran.calls).toBe('ci ./bench/mine --base published --profile quick --out out\n');
});

test('inputs become arguments', () => {
  const inputs = { BASE: '1.2.3', PROFILE: 'careful', BUILD: 'npm run build', FAIL_IF: 'a > +1%\n\nb > +2%\n' };
  expect(run(0, inputs).calls).toBe(
    'ci ./bench/mine --base 1.2.3 --profile careful --out out --build npm run build --fail-if a > +1% --fail-if b > +2%\n',
  );
});

test('a pull request has one comment, which is replaced', () => {
  expect(run(0, PULL, { comments: '3\\tHello\\n' }).calls).toMatch(
    /--method POST repos\/me\/mine\/issues\/7\/comments --field body=@out/,
  );
  const again = run(1, PULL, { comments: `3\\tHello\\n42\\t${MARKER}\\n` }).calls;
  expect(again).toMatch(/--method PATCH repos\/me\/mine\/issues\/comments\/42 --field body=@out\/comment.md/);
  expect(again.match(/^gh /gm)).toHaveLength(4);
  expect(run(0, { ...PULL, COMMENT: 'false' }).calls.match(/^gh /gm)).toHaveLength(4);
});

test('action.yml hands each of its inputs to the step', () => {
  const { inputs, runs } = parse(readFileSync(`${PROJECT_ROOT}/action.yml`, 'utf8'));
  const given = Object.values(runs.steps[0].env as Record<string, string>).join();
  for (const name of Object.keys(inputs)) expect(given).toContain(`inputs.${name} `);
  const script = readFileSync(`${PROJECT_ROOT}/.ci/pull-request`, 'utf8');
  for (const name of Object.keys(runs.steps[0].env)) if (name !== 'GH_TOKEN') expect(script).toContain(name);
});
