/** Building blocks of the suite's cases. No test framework: they run in a page, too. */
import type { Op } from 'quill-delta';
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

/** "abc" in bold between plain text, a header, two items of a list, an empty line. */
export const SAMPLE: Op[] = [
  { insert: 'plain ' },
  { insert: 'bold', attributes: BOLD },
  { insert: ' end\nTitle' },
  { insert: '\n', attributes: H1 },
  { insert: 'one' },
  { insert: '\n', attributes: BULLET },
  { insert: 'two' },
  { insert: '\n', attributes: BULLET },
  { insert: '\n' },
];

/** @throws Error that shows both, if they differ in their JSON */
export function expectEqual(actual: unknown, expected: unknown): void {
  const [is, shouldBe] = [sortedJson(actual), sortedJson(expected)];
  if (is !== shouldBe) throw new Error(`is        ${is}\nshould be ${shouldBe}`);
}

export function expectContents(editor: Editor, expected: Op[]): void {
  expectEqual(canonicalDelta(editor.getContents()).ops, expected);
}

export function filled(makeScreen: () => Screen, contents: Op[]): Editor {
  const { editor } = makeScreen();
  editor.setContents(contents);
  return editor;
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
