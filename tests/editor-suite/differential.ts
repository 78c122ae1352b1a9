/** The same random steps at two editors: after each step both must hold, show, select and tell the same. */
import Delta from 'quill-delta';
import { canonicalDelta } from '../../editors/base/delta.ts';
import type { Editor, Formats, Screen } from '../../editors/base/editor.ts';
import { expectEqual } from './assertions.ts';

/** One call. Places are any whole numbers: they are taken modulo what the document's length allows. */
export type Step =
  | { call: 'insertText'; at: number; text: Pattern; formats: Formats; source: 'user' | 'api' }
  | { call: 'deleteText'; at: number; length: number; source: 'user' | 'api' }
  | { call: 'formatText' | 'formatLine'; at: number; length: number; formats: Formats }
  | { call: 'format'; name: string; value: unknown }
  | { call: 'setSelection'; at: number; length: number }
  | { call: 'setContents'; text: Pattern }
  | { call: 'updateContents'; parts: Part[]; source: 'user' | 'api' };

/** A remote change, part by part from the start of the document. */
export type Part =
  | { skip: number }
  | { format: number; inline: Formats; block: Formats }
  | { delete: number }
  | { insert: Pattern; inline: Formats; block: Formats };

/** The lengths of lines; their characters are new ones each time, so that a change is never ambiguous. */
export type Pattern = number[];

/** The first of some 20,000 characters that are one UTF-16 unit each. */
const FIRST_CHARACTER = 0x4e00;

/**
 * Performs the steps at both editors.
 *
 * @throws Error that names the first step after which they differ, and how
 */
export function compareEditors(a: Screen, b: Screen, steps: readonly Step[]): void {
  const changes: [Change[], Change[]] = [record(a.editor), record(b.editor)];
  let characters = 0;
  const text = (pattern: Pattern) => {
    const line = (length: number) =>
      Array.from({ length }, () => String.fromCharCode(FIRST_CHARACTER + characters++)).join('');
    return pattern.map(line).join('\n');
  };
  for (const [number, step] of steps.entries()) {
    const perform = toCall(step, a.editor.getText(), text);
    perform(a.editor);
    perform(b.editor);
    try {
      expectEqual(stateOf(a), stateOf(b));
      // Quill tells a new text by way of the empty one; what comes of it is the same.
      if (step.call !== 'setContents') expectEqual(changes[0].flatMap(outcome), changes[1].flatMap(outcome));
    } catch (cause) {
      throw new Error(`step ${number} (${JSON.stringify(step)}): ${(cause as Error).message}`, { cause });
    }
    for (const list of changes) list.length = 0;
  }
}

interface Change {
  change: Delta;
  before: Delta;
  source: unknown;
}

function record(editor: Editor): Change[] {
  const changes: Change[] = [];
  editor.on('text-change', (change, before, source) => changes.push({ change, before, source }));
  return changes;
}

function stateOf({ editor, text }: Screen): unknown {
  return {
    contents: canonicalDelta(editor.getContents()).ops,
    text: editor.getText(),
    shown: text(),
    length: editor.getLength(),
    selection: editor.getSelection(),
  };
}

/** The effect of a change on the document; empty if there was none. Equal characters cannot tell which one is new. */
function outcome({ change, before, source }: Change): unknown[] {
  const [old, result] = [before, before.compose(change)].map((contents) => canonicalDelta(contents).ops);
  return isEqual(old, result) ? [] : [{ result, source }];
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The step as a call with concrete places and texts, the same for both editors. */
function toCall(step: Step, contents: string, text: (pattern: Pattern) => string): (editor: Editor) => void {
  const { length } = contents;
  const index = 'at' in step ? step.at % length : 0;
  const span = 'length' in step ? Math.min(step.length, length - 1 - index) : 0;
  switch (step.call) {
    case 'insertText': {
      const inserted = text(step.text);
      return (editor) => editor.insertText(index, inserted, { ...step.formats }, step.source);
    }
    case 'deleteText':
      return (editor) => editor.deleteText(index, span, step.source);
    case 'formatText':
      return (editor) => editor.formatText(index, span, { ...step.formats }, 'user');
    case 'formatLine':
      return (editor) => editor.formatLine(index, span, { ...step.formats }, 'user');
    case 'format':
      return (editor) => {
        // An inline format at the cursor shows in what is typed next: real keys test that.
        if (step.name === 'list' || editor.getSelection()?.length) editor.format(step.name, step.value, 'user');
      };
    case 'setSelection':
      return (editor) => editor.setSelection(index, span, 'user');
    case 'setContents': {
      const insert = `${text(step.text)}\n`;
      return (editor) => editor.setContents([{ insert }], 'api');
    }
    case 'updateContents': {
      const delta = toDelta(step.parts, contents, text);
      return (editor) => editor.updateContents(new Delta(delta), step.source);
    }
  }
}

/** A valid change: it leaves the last "\n", and formats text and line breaks each with what is meant for them. */
function toDelta(parts: readonly Part[], contents: string, text: (pattern: Pattern) => string): Delta {
  const delta = new Delta();
  let index = 0;
  const take = (length: number) => {
    const taken = contents.slice(index, Math.min(index + length, contents.length - 1));
    index += taken.length;
    return taken;
  };
  for (const part of parts) {
    if ('insert' in part) {
      for (const piece of splitLines(text(part.insert))) delta.insert(piece, piece === '\n' ? part.block : part.inline);
    } else if ('format' in part) {
      for (const piece of splitLines(take(part.format))) {
        delta.retain(piece.length, piece === '\n' ? part.block : part.inline);
      }
    } else if ('skip' in part) delta.retain(take(part.skip).length);
    else delta.delete(take(part.delete).length);
  }
  return delta;
}

function splitLines(text: string): string[] {
  return text.split(/(\n)/);
}
