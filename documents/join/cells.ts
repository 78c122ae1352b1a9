/** Which cells an experiment of scenario `join` has: not each framework has each way, nor one document several processes. */
import type { Framework } from '../../frameworks/framework.ts';
import type { join } from '../../harness/experiment/document-experiments.ts';
import type { ValueOf } from '../../harness/experiment/property.ts';
import { UserError } from '../../results/user-error.ts';
import { requireJoinable } from '../scenario.ts';

export type JoinExperiment = ValueOf<typeof join>;

/** Parameters by which the cells differ. */
export type JoinCell = {
  framework: string;
  way: JoinExperiment['ways'][number];
  edits: number;
  documents: number;
  processes: number;
};

/** How a framework's server gives a newcomer the document: `relayed` in any way that one likes. */
type Serving = 'relayed' | 'own';

/** Why there is not each way. */
const WHY: Record<Serving, string> = {
  own: 'a library’s own server gives what it gives',
  relayed: 'over the relay, what is deployed is "state"',
};

/**
 * @param say gets a sentence about each cell that there cannot be
 * @throws UserError (2) if users cannot join a document of others with one of the frameworks, or no cell is left
 */
export function combine(
  experiment: Pick<JoinExperiment, 'ways' | 'edits' | 'documents' | 'processes'>,
  frameworks: ReadonlyMap<string, Pick<Framework, 'about'>>,
  say: (text: string) => void,
): JoinCell[] {
  for (const [name, { about }] of frameworks) requireJoinable('join', name, about);
  const servingOf = (name: string): Serving => (frameworks.get(name)!.about.tier === 'library' ? 'relayed' : 'own');
  const ways = unique(experiment.ways);
  const waysOf: Record<Serving, JoinExperiment['ways']> = {
    own: ways.filter((way) => way === 'deployed'),
    relayed: waysOfRelayed(ways),
  };
  const names = [...frameworks.keys()];
  for (const [serving, alike] of Map.groupBy(names, servingOf)) {
    const missing = ways.filter((way) => !waysOf[serving].includes(way));
    if (missing.length > 0) say(`note: ${WHY[serving]} (${alike.join(', ')}): no ${missing.join(', ')}`);
  }
  const places = spreads(experiment, say);
  const cells = names.flatMap((framework) =>
    waysOf[servingOf(framework)].flatMap((way) =>
      unique(experiment.edits).flatMap((edits) => places.map((place) => ({ framework, way, edits, ...place }))),
    ),
  );
  if (cells.length > 0) return cells;
  throw new UserError(
    `this experiment has no cell: frameworks (${names.join(', ')}) with servers of their own have only the way "deployed", and there must be as many documents as processes; ways is ${experiment.ways.join(', ')}, documents ${experiment.documents.join(', ')}, processes ${experiment.processes.join(', ')}`,
  );
}

/** Nothing is measured twice under two names. */
function waysOfRelayed(ways: JoinExperiment['ways']): JoinExperiment['ways'] {
  return ways.includes('state') ? ways.filter((way) => way !== 'deployed') : ways;
}

function spreads(
  { documents, processes }: Pick<JoinExperiment, 'documents' | 'processes'>,
  say: (text: string) => void,
): { documents: number; processes: number }[] {
  return unique(documents).flatMap((count) =>
    unique(processes).flatMap((among) => {
      if (among <= count) return [{ documents: count, processes: among }];
      say(`note: documents ${count} cannot be spread over processes ${among}, so there is no such cell`);
      return [];
    }),
  );
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
