/** Folders for tests. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach } from 'vitest';

export interface TestFolder {
  readonly path: string;
  in(...names: string[]): string;
  /** Writes a file there, with the folders around it. */
  put(name: string, text?: string): Promise<void>;
}

/** An empty folder of each test, which is gone after it. */
export function folderOfEachTest(): TestFolder {
  let path = '';
  beforeEach(async ({ onTestFinished }) => {
    const made = await realpath(await mkdtemp(join(tmpdir(), 'scriptorium-test-')));
    path = made;
    // After all that runs after each test: what fails there would keep the folder, and what it ends may write into it until then.
    onTestFinished(() => rm(made, { recursive: true, force: true, maxRetries: 3 }));
  });
  return {
    get path() {
      return path;
    },
    in: (...names) => join(path, ...names),
    async put(name, text = '') {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
    },
  };
}
