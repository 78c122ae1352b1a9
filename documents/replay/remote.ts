/** The other side: what a replica takes to follow another's typing. */
import type { Engine } from '../engines/engine.ts';
import { printFigures, requireText } from '../measurement.ts';
import { SubjectFailure } from '../scenario.ts';
import { type Edits, firstEdits } from './edits.ts';
import type { ReplayTask } from './engines.ts';
import { EDITS_PER_READING, EDITS_PER_STRETCH, timeInStretches } from './stopwatch.ts';

/** Keys of 112 users in 50 ms, at 6 keys a second: the receive batch of the largest cell of the Collabs paper. */
export const BATCH_EDITS = 34;

/** True if there is a second replica; the updates of a trace many times over would not fit into memory. */
export function isFollowed(
  { observe, remoteMs }: Pick<ReplayTask, 'observe' | 'remoteMs'>,
  { repeat }: Pick<Edits, 'repeat'>,
): boolean {
  return observe === 'updates' && remoteMs > 0 && repeat === 1;
}

/** One by one, and in batches: a part of the figures' names, and how many updates are given at once. */
export const WAYS = [
  ['', 1],
  ['Batched', BATCH_EDITS],
] as const;

/** Replicas that are thrown away take these in, so that the code for it is compiled. */
export async function warmUpRemote(engine: Engine, updates: readonly Uint8Array[], identity: number): Promise<void> {
  for (const [, perBatch] of WAYS) {
    const replica = await engine.open({ identity, updates: false });
    for (const batch of batchesOf(updates, perBatch)) replica.receive?.(batch);
    replica.free?.();
  }
}

function batchesOf(updates: readonly Uint8Array[], perBatch: number): Uint8Array[][] {
  return Array.from({ length: Math.ceil(updates.length / perBatch) }, (_, index) =>
    updates.slice(index * perBatch, (index + 1) * perBatch),
  );
}

/**
 * Applies the updates one by one at an empty replica, and in batches at another, each for so long at most.
 *
 * @throws SubjectFailure if it cannot, or a replica holds another text than what it got makes
 */
export async function measureRemote(
  engine: Engine,
  updates: readonly Uint8Array[],
  edits: Edits,
  { identity, limitMs }: { identity: number; limitMs: number },
): Promise<void> {
  for (const [name, perBatch] of WAYS) {
    const given = batchesOf(updates, perBatch);
    const replica = await engine.open({ identity, updates: false });
    if (replica.receive === undefined) throw new SubjectFailure('not-offered', 'it takes in no updates');
    const receive = (index: number) => replica.receive!(given[index]!);
    const { done, totalMs } = await timeInStretches(stretchOf(perBatch), given.length, receive, limitMs);
    const received = given.slice(0, done).reduce((sum, { length }) => sum + length, 0);
    const editsPerSecond = (1000 * received) / totalMs;
    printFigures({ [`remote${name}EditsPerSecond`]: editsPerSecond, [`remote${name}Edits`]: received });
    requireText(replica.text(), firstEdits(edits, received).endContent, `a replica that took in ${received} updates`);
    replica.free?.();
  }
}

/** How many batches are about a stretch's edits. */
function stretchOf(perBatch: number): number {
  return EDITS_PER_READING * Math.floor(EDITS_PER_STRETCH / perBatch / EDITS_PER_READING);
}

/** Size of most engines' updates of one key; if this is too little, the store grows. */
const EXPECTED_BYTES = 64;

/** Keeps the updates of a replay for its remote side: outside of the heap that is measured, at a few nanoseconds each. */
export class UpdateStore {
  #bytes: Uint8Array;
  readonly #ends: Uint32Array;
  #count = 0;
  #end = 0;

  /** @param count how many there will be at most */
  constructor(count: number) {
    this.#bytes = new Uint8Array(count * EXPECTED_BYTES);
    this.#ends = new Uint32Array(count);
  }

  add(update: Uint8Array): void {
    const end = this.#end + update.length;
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.set(update, this.#end);
    this.#ends[this.#count++] = end;
    this.#end = end;
  }

  /** Of all updates together. */
  get bytes(): number {
    return this.#end;
  }

  /** Memory of the store, written to or not. */
  get heldBytes(): number {
    return this.#bytes.length + this.#ends.byteLength;
  }

  /** The written part of it, which alone is resident. */
  get writtenBytes(): number {
    return this.#end + this.#count * this.#ends.BYTES_PER_ELEMENT;
  }

  /** In the order in which they came. */
  updates(): Uint8Array[] {
    return Array.from({ length: this.#count }, (_, index) =>
      this.#bytes.subarray(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]),
    );
  }

  #grow(least: number): void {
    const grown = new Uint8Array(2 * least);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
