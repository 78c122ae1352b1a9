/**
 * Frameworks made by `new-framework` pass `check` unchanged, also from outside. They are made in a copy of the project, so
 * that nobody else sees them.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { findChrome } from '../../infra/local/chrome.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';

/** The rooms, without what others left in them. */
const COPIED = [
  'analysis',
  'capabilities',
  'cli',
  'documents',
  'editors',
  'frameworks',
  'harness',
  'infra',
  'results',
  'servers',
  'traces',
];
const LEFT_OUT = /^(documents\/engines\/native\/target|results\/(?!formats|published|run-folder|[^/]+\.ts)[^/]+)/;

test('new-framework, then check: every property holds for both kinds', async () => {
  const root = await mkdtemp(join(tmpdir(), 'new-framework-check-'));
  const elsewhere = await mkdtemp(join(tmpdir(), 'new-framework-outside-'));
  try {
    for (const path of [...COPIED, 'package.json', 'package-lock.json']) {
      const filter = (source: string) => !LEFT_OUT.test(relative(PROJECT_ROOT, source));
      await cp(join(PROJECT_ROOT, path), join(root, path), { recursive: true, filter });
    }
    await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
    const env = {
      ...process.env,
      SCRIPTORIUM_CHROME: await findChrome(process.env),
      // Code compiled for the copy is of no use after it.
      NODE_COMPILE_CACHE: join(root, '.scriptorium/compiled'),
    };
    const scriptorium = (...args: string[]) =>
      spawnSync(process.execPath, ['cli/main.ts', ...args], { cwd: root, encoding: 'utf8', env });
    // Each kind in one of two places.
    const theirs = join(elsewhere, 'theirs');
    expect(scriptorium('new-framework', 'mine').stdout).toContain('./scriptorium check mine\n');
    const made = scriptorium('new-framework', theirs, '--kind', 'own-server').stdout;
    expect(made).toContain(`./scriptorium check ${theirs}\n`);

    const checked = scriptorium('check', 'mine', theirs, '--brief', '--mode', 'noquill', '--json');
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);
    const results = JSON.parse(checked.stdout) as {
      framework: string;
      findings: { property: string; outcome: string }[];
    }[];
    // Of presence they say nothing.
    const others = results.flatMap(({ findings }) => findings.filter(({ property }) => property !== 'presence'));
    expect(new Set(others.map(({ outcome }) => outcome))).toEqual(new Set(['holds']));
    expect(results.map(({ framework, findings }) => [framework, findings.length > 10])).toEqual([
      ['mine', true],
      ['theirs', true],
    ]);
  } finally {
    await rm(root, { recursive: true, force: true });
    await rm(elsewhere, { recursive: true, force: true });
  }
});
