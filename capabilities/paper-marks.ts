/**
 * The capabilities of frameworks according to the Collabs paper.
 *
 * @see Weidner et al. 2023, "Collabs: A Flexible and Performant CRDT Collaboration Framework", Table 1
 */
import { CAPABILITIES } from './capabilities.ts';
import type { Mark, Outcome } from './programs/outcome.ts';

export type PaperMark = '✓' | '½' | '✗' | '–';

interface PaperRow {
  title: string;
  /** The capabilities that programs here test; none if the paper judges something that no program sees. */
  capabilities: readonly string[];
  marks: Readonly<Record<string, PaperMark>>;
}

/** By their names in the paper. */
export const PAPER_LIBRARIES = {
  collabs: 'Collabs',
  yjs: 'Yjs',
  automerge: 'Automerge',
  sharedb: 'ShareDB',
  replicache: 'Replicache',
} as const;
/** Those that are not tried here. */
export const PAPER_ONLY = ['Legion', 'OWebSync'] as const;

const RICH_TEXT = CAPABILITIES.filter(({ program }) => program === 'rich-text').map(({ id }) => id);

export const PAPER_ROWS: readonly PaperRow[] = [
  paperRow('local-first', ['offline-merge'], '✓ ✓ ✓ ✓ ½ ½ ½'),
  paperRow('rich-text editing', RICH_TEXT, '✓ ✓ ✓ ✗ ✓ ✗ ✗'),
  paperRow('nested data', ['nested-data'], '✓ ✓ ✓ ✗ ✓ ✓ ✗'),
  paperRow('list with move', ['list-move'], '✓ ½ ½ ✗ ✗ ✗ ✗'),
  paperRow('encapsulated data models', [], '✓ ½ ✗ – ✗ ✗ –'),
  paperRow('semantic and performance flexibility', [], '✓ ✗ ✗ ✗ ½ ✗ ✓'),
];

function paperRow(title: string, capabilities: readonly string[], marks: string): PaperRow {
  const columns = ['Collabs', 'Yjs', 'Automerge', 'Legion', 'ShareDB', 'OWebSync', 'Replicache'];
  const each = marks.split(' ') as PaperMark[];
  return { title, capabilities, marks: Object.fromEntries(columns.map((name, index) => [name, each[index]!])) };
}

const SIGNS: Record<Mark, PaperMark> = { yes: '✓', partly: '½', no: '✗', 'not offered': '✗' };

/** The outcomes of a row's programs as one mark of the paper's: ✓ if all are, ✗ if none is even partly, else ½. */
export function asPaperMark(outcomes: readonly Outcome[]): PaperMark {
  const signs = new Set(outcomes.map(({ mark }) => SIGNS[mark]));
  return signs.size === 1 ? [...signs][0]! : '½';
}
