/** Which cells an experiment of scenario `join` has: not each framework has each way, nor one document several processes. */
import type { Framework } from '../../frameworks/framework.ts';
import { UserError } from '../../results/user-error.ts';
import { combinations, type ExperimentOf } from '../scenario.ts';

export type JoinExperiment = ExperimentOf<'join'>;

/** Parameters by which the cells differ. */
export type JoinCell = {
  framework: string;
  way: JoinExperiment['ways'][number];
  edits: number;
  documents: number;
  processes: number;
};

type Spread = Pick<JoinCell, 'documents' | 'processes'>;

/** How a framework's server gives a newcomer the document: `relayed` in any way that one likes. */
type Serving = 'relayed' | 'own';

/** Why there is not each way. */
const WHY: Record<Serving, string> = {
  own: 'a library’s own server gives what it gives',
  relayed: 'over the relay, what is deployed is "state"',
};

/**
 * @param context.say gets a sentence about each cell that there cannot be
 * @throws UserError (2) if no cell is left
 */
export function combine(
  { ways: written, edits, documents, processes }: Pick<JoinExperiment, 'ways' | 'edits' | 'documents' | 'processes'>,
  { frameworks, say }: { frameworks: ReadonlyMap<string, Pick<Framework, 'about'>>; say(text: string): void },
): JoinCell[] {
  const servingOf = (name: string): Serving => (frameworks.get(name)!.about.tier === 'library' ? 'relayed' : 'own');
  const ways = [...new Set(written)];
  const waysOf: Record<Serving, JoinExperiment['ways']> = {
    own: ways.filter((way) => way === 'deployed'),
    // Nothing is measured twice under two names.
    relayed: ways.includes('state') ? ways.filter((way) => way !== 'deployed') : ways,
  };
  const names = [...frameworks.keys()];
  for (const [serving, alike] of Map.groupBy(names, servingOf)) {
    const missing = ways.filter((way) => !waysOf[serving].includes(way));
    if (missing.length > 0) say(`note: ${WHY[serving]} (${alike.join(', ')}): no ${missing.join(', ')}`);
  }
  const isSpread = (of: Spread) => of.processes <= of.documents;
  for (const of of combinations<Spread>({ documents, processes }).filter((each) => !isSpread(each))) {
    say(`note: documents ${of.documents} cannot be spread over processes ${of.processes}, so there is no such cell`);
  }
  const cells = names.flatMap((name) => {
    const way = waysOf[servingOf(name)];
    return combinations<JoinCell>({ framework: [name], way, edits, documents, processes }).filter(isSpread);
  });
  if (cells.length > 0) return cells;
  throw new UserError(
    `this experiment has no cell: frameworks (${names.join(', ')}) with servers of their own have only the way "deployed", and there must be as many documents as processes; ways is ${written.join(', ')}, documents ${documents.join(', ')}, processes ${processes.join(', ')}`,
  );
}
