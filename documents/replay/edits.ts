/**
 * The edits of a trace as a file: made once for a run, and read by each process that measures, in no time that matters.
 *
 * Little-endian: `SCREDIT1`, the count of edits, and how often all of them are made; then, of each edit once, positions,
 * deleted and inserted lengths, in UTF-16 units; then the inserted texts of each edit once, joined, and the text in the end
 * of all repetitions, each as its length in bytes and UTF-8. Numbers have 32 bits, unsigned. `documents/engines/native/` reads it, too.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { Patch, Trace } from '../../traces/format.ts';
import { GapBuffer, textOf, unitsOf } from '../../traces/gap-buffer.ts';
import { replay } from '../../traces/replay.ts';
import type { EngineDocument } from '../engines/engine.ts';

const MAGIC = 'SCREDIT1';
const FIRST_ASTRAL = 0x10000;
const ASTRAL = /[\u{10000}-\u{10ffff}]/u;

/** One author's edits of a document that begins empty. At each position first so many units go, then the text comes. */
export interface Edits {
  /** How many are made in all: `repeat` times as many as are listed here. */
  count: number;
  repeat: number;
  positions: Uint32Array;
  deleted: Uint32Array;
  inserted: string[];
  /** The document's text after all of them. */
  endContent: string;
}

/**
 * @param options.repeat the trace's edits so many times over, each at the beginning of what the times before left
 * @param options.atMost takes the first edits only
 */
export function editsOf(trace: Trace, options: { repeat?: number; atMost?: number } = {}): Edits {
  const { repeat = 1, atMost = Number.POSITIVE_INFINITY } = options;
  const positions: number[] = [];
  const deleted: number[] = [];
  const inserted: string[] = [];
  const add = (position: number, length: number, text: string) => {
    positions.push(position);
    deleted.push(length);
    inserted.push(text);
  };
  if (trace.kind === 'sequential' && trace.startContent !== '') add(0, 0, trace.startContent);
  let cut: string | null = null;
  const toUnits = unitCounterFor(trace);
  replay(trace, {
    typed({ document, position, deleted: length, inserted: text }) {
      if (!isEdit([position, length, text])) return;
      if (positions.length >= atMost) {
        cut ??= textOf(document.slice());
        return;
      }
      const at = toUnits(document, 0, position);
      add(at, toUnits(document, position, length), text);
    },
  });
  const end = cut ?? trace.endContent;
  return {
    count: repeat * positions.length,
    repeat,
    positions: Uint32Array.from(positions),
    deleted: Uint32Array.from(deleted),
    inserted,
    endContent: end.repeat(repeat),
  };
}

/** A patch that changes nothing is none: a library makes no update of it, and that of the edit before would be taken once more. */
export function isEdit([, deleted, inserted]: Patch): boolean {
  return deleted > 0 || inserted !== '';
}

/** Makes the edit of that number among those that are listed. What is timed does it without a call of this. */
export function makeEdit(
  document: Pick<EngineDocument, 'edit'>,
  { positions, deleted, inserted }: Edits,
  number: number,
): void {
  document.edit(positions[number]!, deleted[number]!, inserted[number]!);
}

/** The document's text after the first edits, if each edit is made once. */
export function contentAfter({ positions, deleted, inserted }: Edits, count: number): string {
  const units = new GapBuffer();
  for (let index = 0; index < count; index++) {
    units.splice(positions[index]!, deleted[index]!, unitsOf(inserted[index]!));
  }
  return textOf(units.slice());
}

/** The first of them, if each edit is made once. */
export function firstEdits(edits: Edits, atMost: number): Edits {
  if (atMost >= edits.count) return edits;
  return { ...edits, count: atMost, endContent: contentAfter(edits, atMost) };
}

/** Makes the file, for `readEdits`. */
export async function writeEdits(path: string, trace: Trace, options: Parameters<typeof editsOf>[1]): Promise<Edits> {
  const edits = editsOf(trace, options);
  await writeFile(path, bytesOf(edits));
  return edits;
}

/** Content of the file. */
export function bytesOf({ positions, deleted, inserted, repeat, endContent }: Edits): Buffer {
  const lengths = Uint32Array.from(inserted, ({ length }) => length);
  const texts = [inserted.join(''), endContent].map((text) => Buffer.from(text));
  return Buffer.concat([
    Buffer.from(MAGIC),
    numbers([positions.length, repeat]),
    ...[positions, deleted, lengths].map(numbers),
    ...texts.flatMap((text) => [numbers([text.length]), text]),
  ]);
}

/** @throws Error if the file is not one that `writeEdits` made */
export async function readEdits(path: string): Promise<Edits> {
  const file = await readFile(path);
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error(`${path} holds no edits`);
  let at = MAGIC.length;
  const take = (count: number): Uint32Array => {
    const taken = Uint32Array.from({ length: count }, (_, index) => file.readUInt32LE(at + 4 * index));
    at += 4 * count;
    return taken;
  };
  const takeText = (): string => {
    const [length] = take(1);
    at += length!;
    return file.toString('utf8', at - length!, at);
  };
  const [once = 0, repeat = 0] = take(2);
  const [positions, deleted, lengths] = [take(once), take(once), take(once)];
  const text = takeText();
  let from = 0;
  const inserted = Array.from(lengths, (length) => {
    from += length;
    // Slices of one long text would each keep it, and be dearer to read than texts of their own.
    return length === 1 ? String.fromCharCode(text.charCodeAt(from - 1)) : flat(text.slice(from - length, from));
  });
  return { count: repeat * once, repeat, positions, deleted, inserted, endContent: takeText() };
}

function numbers(values: ArrayLike<number>): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  for (let index = 0; index < values.length; index++) buffer.writeUInt32LE(values[index]!, 4 * index);
  return buffer;
}

/** The same text in memory of its own. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** A stretch of code points, counted in UTF-16 units. */
export type UnitCounter = (document: GapBuffer, from: number, length: number) => number;

/** If no character of the trace has two units, there is nothing to count. */
export function unitCounterFor(trace: Trace): UnitCounter {
  if (firstWideCharacter(trace) === null) return (_document, _from, length) => length;
  return (document, from, length) =>
    length + document.slice(from, from + length).reduce((sum, each) => sum + Number(each >= FIRST_ASTRAL), 0);
}

/** The first character of two UTF-16 units; null if there is none. */
export function firstWideCharacter(trace: Trace): string | null {
  const texts = [trace.kind === 'sequential' ? trace.startContent : '', ...trace.txns.flatMap(textsOf)];
  for (const text of texts) {
    const found = ASTRAL.exec(text);
    if (found !== null) return found[0];
  }
  return null;
}

function textsOf({ patches }: { patches: readonly Patch[] }): string[] {
  return patches.map(([, , inserted]) => inserted);
}
