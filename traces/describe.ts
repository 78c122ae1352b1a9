/** A trace's content in figures: for `traces show`. */
import { alignRows } from '../results/text-table.ts';
import { type Edit, editsOf } from './edits.ts';
import type { Patch, Trace } from './format.ts';
import { codePointsOf } from './gap-buffer.ts';

const EDIT_KINDS = ['key', 'paste', 'backspace', 'delete', 'erase'] as const satisfies Edit['kind'][];

/**
 * Counts of characters are of Unicode code points.
 *
 * @throws UserError (2) if the trace does not replay to its `endContent`
 */
export function describeTrace(trace: Trace) {
  const authors = editsOf(trace);
  const edits = authors.flat();
  const patches = trace.txns.flatMap((txn): Patch[] => txn.patches);
  return {
    kind: trace.kind,
    authors: authors.length,
    transactions: trace.txns.length,
    patches: patches.length,
    insertedCharacters: sum(patches, ([, , inserted]) => codePointsOf(inserted).length),
    deletedCharacters: sum(patches, ([, deleted]) => deleted),
    startCharacters: trace.kind === 'sequential' ? codePointsOf(trace.startContent).length : 0,
    endCharacters: codePointsOf(trace.endContent).length,
    edits: edits.length,
    editsOfKind: Object.fromEntries(
      EDIT_KINDS.map((kind) => [kind, edits.filter((edit) => edit.kind === kind).length]),
    ) as Record<Edit['kind'], number>,
    /** Edits before which the cursor moves. */
    moves: edits.filter((edit) => edit.move !== 0).length,
    /** Edits in a row that continue at the cursor, all inserting or all deleting. NaN if there are no edits. */
    meanRunLength: edits.length / sum(authors, runsIn),
  };
}

/** A table for reading: one figure per line, aligned. */
export function formatDescription(description: ReturnType<typeof describeTrace>): string {
  const { edits } = description;
  const share = (part: number) => (edits === 0 ? '' : `${((100 * part) / edits).toFixed(1).padStart(5)} %`);
  const rows: [string, number | string, string?][] = [
    ['kind', description.kind],
    ['authors', description.authors],
    ['transactions', description.transactions],
    ['patches', description.patches],
    ['characters inserted', description.insertedCharacters],
    ['characters deleted', description.deletedCharacters],
    ['characters at the start', description.startCharacters],
    ['characters at the end', description.endCharacters],
    ['edits', edits],
    ...EDIT_KINDS.map((kind): [string, number, string] => {
      const part = description.editsOfKind[kind];
      return [`  ${kind}`, part, share(part)];
    }),
    ['edits after a move', description.moves, share(description.moves)],
    ['mean run, edits', edits === 0 ? '–' : description.meanRunLength.toFixed(1)],
  ];
  const shown = rows.map(([name, value, note = '']) => [name, value.toLocaleString('en'), note]);
  return alignRows(shown, ['left', 'right', 'left']).join('\n');
}

function runsIn(edits: readonly Edit[]): number {
  const inserts = (edit: Edit) => edit.kind === 'key' || edit.kind === 'paste';
  return edits.filter((edit, index) => {
    const before = edits[index - 1];
    return before === undefined || edit.move !== 0 || inserts(edit) !== inserts(before);
  }).length;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
