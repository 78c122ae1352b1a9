/** How often `ci` finds a slowdown that is there, and one that is not: a toy library against itself, made slower by a known share. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CiReport } from '../../analysis/ci/ci-report.ts';
import { makeFrameworkOutside } from '../../frameworks/scaffold/make-framework.ts';
import { Child } from '../../infra/process/child.ts';
import { makeTemporaryFolder } from '../../infra/process/made-once.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { git } from '../../infra/worktree.ts';
import { alignTable } from '../../results/text-table.ts';

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
export async function makeToy(parent: string, name = 'toy'): Promise<string> {
  const folder = join(parent, name);
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

/**
 * @param options.shares  slowdowns, 0 for equal versions
 * @param options.repeats of each
 * @returns a row for each: how often each outcome came
 */
export async function benchCi(options: {
  shares: readonly number[];
  repeats: number;
  profile: string;
}): Promise<string> {
  const { shares, repeats, profile } = options;
  const parent = await makeTemporaryFolder('run');
  const folder = await makeToy(parent);
  const rows: string[][] = [];
  for (const share of shares) {
    await slowDown(folder, share);
    const outcomes: string[] = [];
    for (let repeat = 1; repeat <= repeats; repeat++) {
      const out = join(parent, `${share}-${repeat}`);
      const command = [join(PROJECT_ROOT, 'scriptorium'), 'ci', folder, '--base', 'base', '--profile', profile];
      await new Child({ command: [...command, '--quiet', '--out', out] }).ended;
      const report: CiReport = JSON.parse(await readFile(join(out, 'ci.json'), 'utf8'));
      outcomes.push(report.outcome);
      console.error(
        `${100 * share} % slower, ${repeat} of ${repeats}: ${report.outcome}; ${report.reasons.join('; ')}`,
      );
    }
    const counts = [...Map.groupBy(outcomes, (outcome) => outcome)].map(
      ([outcome, { length }]) => `${length} ${outcome}`,
    );
    rows.push([`${100 * share} %`, `${repeats}`, counts.join(', ')]);
  }
  return alignTable([['slower', 'runs', 'outcomes'], ...rows]);
}
