/**
 * The history of a document: the edits of a trace, each with the update that its author's Yjs sent. The updates are made once
 * for a run, into a file beside that of the edits, so that filling a store costs no trial the time of typing anew.
 *
 * The file: how many updates there are, and their lengths, in 32 bits of this machine's order; then the updates.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { contentAfter, type Edits, readEdits } from '../replay/edits.ts';
import type { Edit } from './store.ts';
import { createAuthor } from './yjs-ways.ts';

const NUMBER_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** Paths of the files of a history. */
export interface HistoryFiles {
  edits: string;
  updates: string;
}

export class History {
  readonly #edits: Edits;
  readonly #updates: readonly Uint8Array[];

  /** @param updates one for each edit */
  constructor(edits: Edits, updates: readonly Uint8Array[]) {
    this.#edits = edits;
    this.#updates = updates;
  }

  get count(): number {
    return this.#updates.length;
  }

  /** @param index from 0 to below `count` */
  edit(index: number): Edit {
    const { positions, deleted, inserted } = this.#edits;
    return {
      position: positions[index]!,
      deleted: deleted[index]!,
      inserted: inserted[index]!,
      update: this.#updates[index]!,
    };
  }

  /** The document's text after so many edits, worked out without any store. */
  textAfter(count: number): string {
    return contentAfter(this.#edits, count);
  }
}

/** Types the edits into a Yjs document, one after another. */
export function historyOf(edits: Edits): History {
  const type = createAuthor();
  const updates = Array.from(edits.positions, (position, index) =>
    type({ position, deleted: edits.deleted[index]!, inserted: edits.inserted[index]! }),
  );
  return new History(edits, updates);
}

/** Makes the file of updates from that of the edits. */
export async function writeUpdates({ edits, updates }: HistoryFiles): Promise<void> {
  const history = historyOf(await readEdits(edits));
  const made = Array.from({ length: history.count }, (_, index) => history.edit(index).update);
  const numbers = Uint32Array.from([made.length, ...made.map(({ length }) => length)]);
  await writeFile(updates, Buffer.concat([new Uint8Array(numbers.buffer), ...made]));
}

/** @throws Error if the files do not belong together */
export async function readHistory(files: HistoryFiles): Promise<History> {
  const edits = await readEdits(files.edits);
  const file = await readFile(files.updates);
  // A copy, since numbers must lie at a multiple of their length; what is over in the end belongs to updates.
  const numbers = new Uint32Array(file.buffer.slice(file.byteOffset), 0, Math.floor(file.length / NUMBER_BYTES));
  const count = numbers[0]!;
  if (count !== edits.count) throw new Error(`${files.updates} has ${count} updates for ${edits.count} edits`);
  let end = (1 + count) * NUMBER_BYTES;
  const updates = Array.from(numbers.subarray(1, 1 + count), (length) => {
    end += length;
    return file.subarray(end - length, end);
  });
  return new History(edits, updates);
}
