/** Tells whether two sources of the project are the same: of an image and those that lie here, or of a base then and now. */
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from './project.ts';

/** All that a run can use; `results/` holds others' files, too. */
const SOURCES = [
  '{analysis,cli,documents,editors,frameworks,harness,infra,servers,traces}/**/*.{ts,sql,html,css}',
  'results/{*,formats/*,run-folder/*}.ts',
];
const TESTS = /\.(test|bench)\.ts$/;

/**
 * Changes with every source and every package that a run can use.
 *
 * @param root a folder that holds the project
 */
export async function sourceFingerprint(root: string = PROJECT_ROOT): Promise<string> {
  const sources = await Array.fromAsync(glob(SOURCES, { cwd: root }));
  const hash = createHash('sha256');
  for (const file of [...sources.filter((name) => !TESTS.test(name)).sort(), 'package-lock.json']) {
    hash.update(file).update(await readFile(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
