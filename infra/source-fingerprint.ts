/** Tells whether two sources of the project are the same: of an image and those that lie here, or of a base then and now. */
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from './project.ts';

const SOURCES = '{analysis,editors,engines,harness,infra,results,servers,traces}/**/*.{ts,sql,html,css}';
/** What no image holds, and no trial uses. */
const ELSEWHERE = /\.(test|bench)\.ts$|^results\/[^/]+\//;

/**
 * Changes with every source and every package that a run can use.
 *
 * @param root a folder that holds the project
 */
export async function sourceFingerprint(root: string = PROJECT_ROOT): Promise<string> {
  const sources = await Array.fromAsync(glob(SOURCES, { cwd: root }));
  const hash = createHash('sha256');
  for (const file of [...sources.filter((name) => !ELSEWHERE.test(name)).sort(), 'package-lock.json']) {
    hash.update(file).update(await readFile(join(root, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
