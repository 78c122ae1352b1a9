/** Folders for tests, which are gone after them. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface TestFolder {
  readonly path: string;
  in(...names: string[]): string;
  /** Writes a file there, with the folders around it. */
  put(name: string, text?: string): Promise<void>;
}

/** An empty folder of each test; tests that run side by side take `temporaryFolder`. */
export function folderOfEachTest(): TestFolder {
  let path = '';
  beforeEach(async ({ onTestFinished }) => {
    const made = await makeFolder();
    path = made;
    // After all that runs after each test: what fails there would keep the folder, and what it ends may write into it until then.
    onTestFinished(() => removeFolder(made));
  });
  return folderAt(() => path);
}

/** A folder of all tests of a file, or of the block around the call; it is there in hooks that are written below the call. */
export function folderOfAllTests(): TestFolder {
  let path = '';
  beforeAll(async () => {
    path = await makeFolder();
  });
  afterAll(() => removeFolder(path));
  return folderAt(() => path);
}

/** An empty folder, until the end of the block: `await using folder = await temporaryFolder()`. */
export async function temporaryFolder(): Promise<TestFolder & AsyncDisposable> {
  const path = await makeFolder();
  return Object.assign(
    folderAt(() => path),
    { [Symbol.asyncDispose]: () => removeFolder(path) },
  );
}

async function makeFolder(): Promise<string> {
  // Short: Chrome's sockets lie deep within some of them, and a socket's path has 107 bytes at most.
  return await realpath(await mkdtemp(join(tmpdir(), 't')));
}

function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

function folderAt(pathNow: () => string): TestFolder {
  const within = (...names: string[]) => join(pathNow(), ...names);
  return {
    get path() {
      return pathNow();
    },
    in: within,
    async put(name, text = '') {
      await mkdir(dirname(within(name)), { recursive: true });
      await writeFile(within(name), text);
    },
  };
}
