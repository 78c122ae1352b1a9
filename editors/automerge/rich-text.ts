/**
 * Rich text in an Automerge document: a string with marks. Positions are UTF-16 units, as the editor's are. The deltas
 * hold line formats packed in one attribute (`../line-formats.ts`), which is a mark on the line's "\n".
 */
import * as Automerge from '@automerge/automerge';
import Delta, { AttributeMap, Op } from 'quill-delta';
import { LINE_FORMAT } from '../base/binding/line-formats.ts';
import { composeAll, formatsSet } from '../base/delta.ts';

/** Contents of the Automerge document. */
export interface RichText {
  text: string;
}

type RichTextDocument = Automerge.Doc<RichText>;

const PATH = ['text'];

/** As wide as the actor of any first author: 16 bytes, drawn once. */
const SEED_ACTOR = '6d1f04c25b8e4a73a9c0e7381b5df296';

/** The document that every replica starts from: exactly one "\n", as the same bytes for everyone. */
export const SEED: Uint8Array = makeSeed();

function makeSeed(): Uint8Array {
  const empty = Automerge.init<RichText>({ actor: SEED_ACTOR });
  // Without a time of its own, the change would hold the moment at which it was made.
  const seeded = Automerge.change(empty, { time: 0 }, (draft) => {
    draft.text = '\n';
  });
  return Automerge.save(seeded);
}

/** The document that a saved state holds. */
export function contentsOfSaved(saved: Uint8Array): Delta {
  return contentsOf(Automerge.load<RichText>(saved));
}

/** The text as an insert-only delta. */
export function contentsOf(document: RichTextDocument): Delta {
  const contents = new Delta();
  for (const span of Automerge.spans(document, PATH)) {
    if (span.type === 'text') contents.insert(span.value, formatsSet(span.marks));
  }
  return contents;
}

/**
 * Changes the document as the user changed the editor: inserted text has exactly the delta's attributes afterwards.
 *
 * Marks grow with text typed at their end, so inherited formats are known only after the insertion. Most text inherits the
 * formats that the editor gave it, and one Automerge change is enough; otherwise a second change sets the difference. (Asking
 * `marksAt` first would take longer the later in the text it is: 4 ms at the end of 10,000 characters.)
 *
 * @param keep gets each change that was made
 */
export function changeBy(
  document: RichTextDocument,
  delta: Delta,
  keep?: (change: Uint8Array) => void,
): RichTextDocument {
  if (delta.ops.length === 0) return document;
  let done = new Delta();
  const changed = Automerge.change(
    document,
    {
      patchCallback(patches) {
        done = deltaOfPatches(patches);
      },
    },
    (draft) => edit(draft, delta),
  );
  // Without an effect there is no change, and the document is the one before.
  if (changed !== document) keep?.(Automerge.getLastLocalChange(changed)!);
  const missing = missingFormats({ wanted: delta, done });
  if (missing.ops.length === 0) return changed;
  const whole = Automerge.change(changed, (draft) => edit(draft, missing));
  if (whole !== changed) keep?.(Automerge.getLastLocalChange(whole)!);
  return whole;
}

/** Leaves the formats of what it inserts to the marks around it. */
function edit(draft: RichText, delta: Delta): void {
  let index = 0;
  for (const { insert, retain, delete: deleted, attributes = {} } of delta.ops) {
    if (typeof insert === 'string') {
      Automerge.splice(draft, PATH, index, 0, insert);
      index += insert.length;
    } else if (typeof retain === 'number') {
      setMarks(draft, { start: index, end: index + retain }, attributes);
      index += retain;
    } else if (deleted !== undefined) {
      Automerge.splice(draft, PATH, index, deleted);
    }
  }
}

/** The changes that remain after `done`, so that all text that `wanted` inserts has its attributes. */
function missingFormats({ wanted, done }: { wanted: Delta; done: Delta }): Delta {
  const kept = new Delta(done.ops.filter((op) => op.delete === undefined));
  const missing = new Delta();
  let index = 0;
  for (const op of wanted.ops) {
    if (op.delete !== undefined) continue;
    const length = Op.length(op);
    if (op.insert === undefined) missing.retain(length);
    else {
      for (const inserted of kept.slice(index, index + length).ops) {
        missing.retain(Op.length(inserted), AttributeMap.diff(inserted.attributes, op.attributes));
      }
    }
    index += length;
  }
  return missing.chop();
}

/** The changes of successive patches to the text, as one delta. */
export function deltaOfPatches(patches: readonly Automerge.Patch[]): Delta {
  return composeAll(patches.map(deltaOfPatch));
}

function deltaOfPatch(patch: Automerge.Patch): Delta {
  switch (patch.action) {
    case 'splice':
      return at(patch).insert(patch.value, formatsSet(patch.marks));
    case 'del':
      return at(patch).delete(patch.length ?? 1);
    case 'mark':
      return composeAll(
        patch.marks.map(({ name, value, start, end }) =>
          new Delta().retain(start).retain(end - start, { [name]: value }),
        ),
      );
    case 'unmark':
      return new Delta().retain(patch.start).retain(patch.end - patch.start, { [patch.name]: null });
    default:
      throw new Error(`Automerge changed more than the text: ${JSON.stringify(patch)}`);
  }
}

function at({ path }: { path: Automerge.Prop[] }): Delta {
  return new Delta().retain(Number(path[1]));
}

/** Bold and italic grow with what is typed at their end. A line's format is on its "\n" alone. */
function setMarks(draft: RichText, { start, end }: { start: number; end: number }, formats: AttributeMap): void {
  for (const [name, value] of Object.entries(formats)) {
    const isOfLines = name === LINE_FORMAT;
    const ranges = isOfLines ? eachCharacter(start, end) : [{ start, end }];
    for (const range of ranges) {
      const expand = isOfLines ? 'none' : 'after';
      if (value === null) Automerge.unmark(draft, PATH, { ...range, expand }, name);
      else Automerge.mark(draft, PATH, { ...range, expand }, name, value as Automerge.MarkValue);
    }
  }
}

/** One mark over two neighbouring "\n" would be inherited by what is typed between them. */
function eachCharacter(start: number, end: number): { start: number; end: number }[] {
  return Array.from({ length: end - start }, (_, offset) => ({ start: start + offset, end: start + offset + 1 }));
}
