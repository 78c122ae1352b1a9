import { symlink, truncate } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { ENVIRONMENT_FILE, PLAN_FILE } from '../formats/run-directory.ts';
import { readEnvironment, readPlan } from './run-files.ts';

const folder = folderOfEachTest();

test('a plan that no memory would hold, or that never ends, is refused in a sentence', async () => {
  await folder.put(PLAN_FILE, '{}');
  await truncate(folder.in(PLAN_FILE), 64 * 2 ** 20 + 1);
  await expect(readPlan(folder.path)).rejects.toMatchObject({
    ...{ name: 'UserError', exitCode: 2 },
    message: `${folder.in(PLAN_FILE)} cannot be read: it has 67108865 bytes, 67108864 at most`,
  });
  await folder.put('endless/x');
  await symlink('/dev/zero', folder.in('endless', PLAN_FILE));
  await expect(readPlan(folder.in('endless'))).rejects.toThrow(/cannot be read: it is no file$/);
});

test('texts of an environment move no cursor, and are no command to a log', async () => {
  const os = 'Linux\x1b[2J\u009b31m\n::error::x';
  await folder.put(ENVIRONMENT_FILE, JSON.stringify({ cores: 2, frameworks: { yjs: { version: os } } }));
  const plain = 'Linux\ufffd[2J\ufffd31m\n: :error::x';
  expect(await readEnvironment(folder.path)).toEqual({ cores: 2, frameworks: { yjs: { version: plain } } });
  await folder.put(ENVIRONMENT_FILE, `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`);
  await expect(readEnvironment(folder.path)).rejects.toThrow(/environment\.json cannot be read/);
});

test('a plan that was cut off is named, with what to do', async () => {
  await folder.put('cut/plan.json', '{"schemaVersion": 1, "star');
  const refused = readPlan(folder.in('cut'));
  await expect(refused).rejects.toThrow(
    /plan\.json cannot be read: it is cut off or damaged, so no JSON .*copy the run's folder again/,
  );
});
