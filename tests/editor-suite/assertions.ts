/** Building blocks of the suite's cases. No test framework: they run in a page, too. */
import type { AttributeMap, Op } from 'quill-delta';
import { canonicalDelta } from '../../editors/base/delta.ts';
import type { Editor, Screen } from '../../editors/base/editor.ts';

export interface EditorCase {
  name: string;
  /** Rejects, or throws, where the screen that `makeScreen` makes behaves otherwise. */
  run(makeScreen: () => Screen): void | Promise<void>;
}

export const BOLD = { bold: true };
export const ITALIC = { italic: true };
export const H1 = { header: 1 };
export const BULLET = { list: 'bullet' };

/** A piece of a document: plain text, or text with its formats. */
export type Piece = string | readonly [text: string, attributes: AttributeMap];

/** "abc" in bold between plain text, a header, two items of a list, an empty line. */
export const SAMPLE: readonly Piece[] = [
  'plain ',
  ['bold', BOLD],
  ' end\nTitle',
  ['\n', H1],
  'one',
  ['\n', BULLET],
  'two',
  ['\n', BULLET],
  '\n',
];

export function opsOf(pieces: readonly Piece[]): Op[] {
  return pieces.map((piece) =>
    typeof piece === 'string' ? { insert: piece } : { insert: piece[0], attributes: piece[1] },
  );
}

/** @throws Error that shows both, if they differ in their JSON */
export function expectEqual(actual: unknown, expected: unknown): void {
  const [is, shouldBe] = [sortedJson(actual), sortedJson(expected)];
  if (is !== shouldBe) throw new Error(`is        ${is}\nshould be ${shouldBe}`);
}

export function expectContents(editor: Editor, expected: readonly Piece[]): void {
  expectEqual(canonicalDelta(editor.getContents()).ops, opsOf(expected));
}

export function filled(makeScreen: () => Screen, contents: readonly Piece[]): Editor {
  const { editor } = makeScreen();
  editor.setContents(opsOf(contents));
  return editor;
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
