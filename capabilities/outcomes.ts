/** The last outcomes that were kept, for the document: `check --capabilities --keep` writes them, a test runs all again. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versionFor } from '../frameworks/packages/installed.ts';
import { UserError } from '../results/user-error.ts';
import { CAPABILITIES, LIBRARIES, type Library } from './capabilities.ts';
import type { Outcome } from './programs/outcome.ts';
import type { Cell } from './run-capabilities.ts';

/** Of a library, by its name. */
export type Outcomes = Record<string, { version: string; outcomes: Record<string, Outcome> }>;

const FILE = join(import.meta.dirname, 'outcomes.json');

export async function readOutcomes(): Promise<Outcomes> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Outcomes;
}

/**
 * Puts the outcomes of these libraries in the place of those that were kept; of the others, what was kept stays.
 *
 * @throws UserError (1) if a program failed, or not all of a library were run: then nothing is kept
 */
export async function keepOutcomes(cells: readonly Cell[]): Promise<void> {
  await writeFile(FILE, `${JSON.stringify(outcomesOf(cells, await readOutcomes()), null, 2)}\n`);
}

/** @throws UserError (1) as above */
export function outcomesOf(cells: readonly Cell[], kept: Outcomes): Outcomes {
  const ran = Map.groupBy(cells, ({ library }) => library);
  return Object.fromEntries(
    LIBRARIES.flatMap((library) => {
      const own = ran.get(library);
      const outcomes = own === undefined ? kept[library.name] : outcomesOfLibrary(library, own);
      return outcomes === undefined ? [] : [[library.name, outcomes]];
    }),
  );
}

function outcomesOfLibrary(library: Library, cells: readonly Cell[]): Outcomes[string] {
  const missing = CAPABILITIES.length - cells.length;
  if (missing > 0) {
    throw new UserError(`nothing was kept: ${missing} programs of ${library.name} were not run`, { exitCode: 1 });
  }
  const outcomes = cells.map(({ capability, outcome }): [string, Outcome] => {
    if ('failed' in outcome) {
      throw new UserError(`nothing was kept: the program ${capability.id} of ${library.name} failed`, { exitCode: 1 });
    }
    return [capability.id, outcome];
  });
  return { version: versionOf(library), outcomes: Object.fromEntries(outcomes) };
}

/** Of the package that its programs run with. */
export function versionOf({ package: name, onDemand }: Library): string {
  if (onDemand !== undefined) return onDemand.packages[name]!;
  return versionFor(import.meta.filename, name)!;
}
