/** A toy library in a repository of its own, which is Yjs with remote edits that take a known share longer. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFrameworkOutside } from '../../frameworks/scaffold/make-framework.ts';
import { git } from '../../infra/worktree.ts';

/** Remote edits take so much longer than Yjs takes for them. */
const LIBRARY = (share: number) => `/** Does the work, and idles for ${share} of the time that it took. */
export function slowed<T>(work: () => T): T {
  const startMs = performance.now();
  const result = work();
  const untilMs = performance.now() + ${share} * (performance.now() - startMs);
  while (performance.now() < untilMs);
  return result;
}
`;

const ENGINE = `import * as Y from 'yjs';
import { slowed } from './library.ts';

export const engine = {
  about: { package: null, algorithm: 'YATA', licence: 'MIT', kind: 'library' },
  open({ identity }: { identity: number }) {
    const doc = new Y.Doc();
    doc.clientID = Math.floor(identity * 2 ** 32);
    const text = doc.getText('text');
    let last = new Uint8Array();
    doc.on('update', (update: Uint8Array) => {
      last = update as typeof last;
    });
    return {
      edit(position: number, deleted: number, inserted: string) {
        doc.transact(() => {
          if (deleted > 0) text.delete(position, deleted);
          if (inserted !== '') text.insert(position, inserted);
        });
      },
      text: () => text.toString(),
      takeUpdate: () => last,
      receive: (updates: Uint8Array[]) =>
        slowed(() => Y.transact(doc, () => updates.forEach((update) => Y.applyUpdate(doc, update)), null, false)),
      save: () => [{ name: 'V1', history: false, bytes: Y.encodeStateAsUpdate(doc) }],
    };
  },
};
`;

const APPLY = 'Y.transact(doc, apply, REMOTE, false)';

/** A repository with a toy library, whose state of now is its tag `base`. @returns the framework's folder */
export async function makeToy(parent: string): Promise<string> {
  const folder = join(parent, 'toy');
  await makeFrameworkOutside({ folder, kind: 'relayed' });
  const path = join(folder, 'document.ts');
  const text = await readFile(path, 'utf8');
  if (!text.includes(APPLY)) throw new Error(`the template applies messages otherwise than by ${APPLY}`);
  await writeFile(path, text.replace(APPLY, `slowed(() => ${APPLY})`));
  await appendFile(path, "import { slowed } from './library.ts';\n");
  await writeFile(join(folder, 'engine.ts'), ENGINE);
  await slowDown(folder, 0);
  const author = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
  await git(parent, 'init', '--quiet');
  await git(parent, 'add', '.');
  await git(parent, ...author, 'commit', '--quiet', '--message', 'base');
  await git(parent, 'tag', 'base');
  return folder;
}

/** @param share of the time that Yjs takes for remote edits */
export function slowDown(folder: string, share: number): Promise<void> {
  return writeFile(join(folder, 'library.ts'), LIBRARY(share));
}
