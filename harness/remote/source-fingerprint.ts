/** Tells whether an image was built from the sources that lie here. */
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../project.ts';

const SOURCES = '{analysis,editors,harness,infra,results,servers,traces}/**/*.{ts,sql,html,css}';
/** What the image does not hold. */
const ELSEWHERE = /\.(test|bench)\.ts$|^results\/[^/]+\//;

/** Changes with every source and every package that a run can use. */
export async function sourceFingerprint(): Promise<string> {
  const sources = await Array.fromAsync(glob(SOURCES, { cwd: PROJECT_ROOT }));
  const hash = createHash('sha256');
  for (const file of [...sources.filter((name) => !ELSEWHERE.test(name)).sort(), 'package-lock.json']) {
    hash.update(file).update(await readFile(join(PROJECT_ROOT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
