/** Folders for tests. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** An empty folder of each test, which is gone after it. */
export function folderOfEachTest(): { readonly path: string; in(...names: string[]): string } {
  let path = '';
  beforeEach(async () => {
    path = await realpath(await mkdtemp(join(tmpdir(), 'scriptorium-test-')));
  });
  afterEach(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return {
    get path() {
      return path;
    },
    in: (...names) => join(path, ...names),
  };
}
