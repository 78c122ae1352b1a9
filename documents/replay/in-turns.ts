/**
 * Several engines replay one trace by turns of about a millisecond. A machine that changes its speed within seconds then meets all
 * alike, so that their figures compare better. They share a heap, so one may collect another's garbage.
 *
 * @see Bulej et al. 2020, "Duet Benchmarking", doi:10.1145/3358960.3379132: the same idea with both at once
 */
import { median } from '../../analysis/statistics/quantile.ts';
import type { Engine, EngineDocument } from '../engines/engine.ts';
import { requireText, timeLoad } from '../measurement.ts';
import { SubjectFailure } from '../scenario.ts';
import { each, inOrderOf, isIn, type Side, sideOf, tell } from '../turns.ts';
import { type Edits, firstEdits } from './edits.ts';
import type { ReplayTask } from './engines.ts';
import { BATCH_EDITS, UpdateStore, WAYS } from './remote.ts';
import { EDITS_PER_STRETCH, letGo } from './stopwatch.ts';

interface EngineSide extends Side {
  engine: Engine;
}

export interface InTurnsTask extends Pick<ReplayTask, 'edits' | 'identities' | 'limitMs' | 'remoteMs'> {
  engines: readonly string[];
}

/** Enough for the engines' code to be compiled. */
const WARM_UP_EDITS = 4096;
const WARM_UP_LIMIT_MS = 2000;
const WARM_UP_REMOTE_MS = 200;
/** Loads of each engine, and the time after which none begins. */
const LOADS = 16;
const LOADS_MS = 3000;

/**
 * @returns a side for each engine, with the lines of its trial
 * @throws an engine's own error, which is nobody's figure
 */
export async function replayInTurns(
  engines: ReadonlyMap<string, Engine>,
  edits: Edits,
  task: InTurnsTask,
): Promise<Side[]> {
  const warm = firstEdits(edits, WARM_UP_EDITS);
  await measureSides(sidesOf(engines), warm, {
    ...task,
    limitMs: Math.min(task.limitMs, WARM_UP_LIMIT_MS),
    remoteMs: Math.min(task.remoteMs, WARM_UP_REMOTE_MS),
  });
  const sides = sidesOf(engines);
  await measureSides(sides, edits, task);
  return sides;
}

function sidesOf(engines: ReadonlyMap<string, Engine>): EngineSide[] {
  return [...engines].map(([name, engine]) => ({ ...sideOf(name), engine }));
}

async function measureSides(sides: readonly EngineSide[], edits: Edits, task: InTurnsTask): Promise<void> {
  const typed = await type(sides, edits, task);
  for (const [name, perBatch] of WAYS) {
    await follow(sides, typed.edits, { ...task, name, perBatch, updates: typed.updates });
  }
  await loadAgain(sides, typed.edits, typed.documents);
  for (const document of typed.documents.values()) document.free?.();
}

/**
 * All edits where they are typed, or as many as the slowest makes in the time: what is too slow is slower, not broken.
 *
 * @returns `edits` that all sides made, of which all later figures are
 */
async function type(sides: readonly EngineSide[], edits: Edits, { identities, limitMs }: InTurnsTask) {
  const { positions, deleted, inserted, count } = edits;
  const documents = new Map<EngineSide, EngineDocument>();
  const stores = new Map(sides.map((side) => [side, new UpdateStore(count)]));
  await each(sides, async (side) => {
    documents.set(side, await side.engine.open({ identity: identities[0]!, updates: true }));
  });
  const { totalMs, done } = await takeTurns(sides, {
    count,
    limitMs,
    turn(side, from, until) {
      const document = documents.get(side)!;
      if (document.takeUpdate === undefined)
        throw new SubjectFailure('not-offered', 'it gives no updates of its edits');
      const taken: Uint8Array[] = [];
      const startMs = performance.now();
      for (let index = from; index < until; index++) {
        document.edit(positions[index]!, deleted[index]!, inserted[index]!);
        taken.push(document.takeUpdate());
      }
      const tookMs = performance.now() - startMs;
      for (const update of taken) stores.get(side)!.add(update);
      return tookMs;
    },
  });
  const made = firstEdits(edits, done);
  const times = sides.filter(isIn).map((side) => `${side.name} ${(totalMs.get(side)! / 1000).toPrecision(2)} s`);
  const cut = `the slowest had made ${done} of ${count} edits after ${limitMs / 1000} s, so all is measured on those; they took ${times.join(', ')}`;
  await each(sides, (side) => {
    const applyMs = totalMs.get(side)!;
    requireText(documents.get(side)!.text(), made.endContent, 'the document');
    tell(side, { applyMs, editsPerSecond: (1000 * done) / applyMs, updatesKiB: stores.get(side)!.bytes / 1024 });
    if (done < count) side.lines.push({ type: 'note', code: 'cut', message: cut });
  });
  return { edits: made, documents, updates: new Map([...stores].map(([side, store]) => [side, store.updates()])) };
}

interface Following {
  name: string;
  perBatch: number;
  updates: ReadonlyMap<EngineSide, Uint8Array[]>;
}

/** The time of a replica that follows: the same updates for all, again at new replicas until the slowest has used up its time. */
async function follow(
  sides: readonly EngineSide[],
  edits: Edits,
  { remoteMs, name, ...options }: InTurnsTask & Following,
): Promise<void> {
  const spentMs = new Map(sides.map((side) => [side, 0]));
  let made = 0;
  while (sides.some(isIn) && Math.max(...spentMs.values()) < remoteMs) {
    const limitMs = remoteMs - Math.max(...spentMs.values());
    const { totalMs, done } = await followOnce(sides, edits, { ...options, limitMs });
    for (const [side, ms] of totalMs) spentMs.set(side, spentMs.get(side)! + ms);
    made += done;
  }
  await each(sides, (side) => {
    if (made === 0) return;
    const editsPerSecond = (1000 * made) / spentMs.get(side)!;
    tell(side, { [`remote${name}EditsPerSecond`]: editsPerSecond, [`remote${name}Edits`]: made });
  });
}

async function followOnce(
  sides: readonly EngineSide[],
  edits: Edits,
  { identities, limitMs, perBatch, updates }: Omit<InTurnsTask & Following, 'remoteMs' | 'name'>,
): Promise<Turns> {
  const replicas = new Map<EngineSide, EngineDocument>();
  await each(sides, async (side) => {
    replicas.set(side, await side.engine.open({ identity: identities[1]!, updates: false }));
  });
  const turns = await takeTurns(sides, {
    count: edits.count,
    limitMs,
    turn(side, from, until) {
      const replica = replicas.get(side)!;
      if (replica.receive === undefined) throw new SubjectFailure('not-offered', 'it takes in no updates');
      const given: Uint8Array[][] = [];
      for (let at = from; at < until; at += perBatch) {
        given.push(updates.get(side)!.slice(at, Math.min(until, at + perBatch)));
      }
      const startMs = performance.now();
      for (const batch of given) replica.receive(batch);
      return performance.now() - startMs;
    },
  });
  const { done } = turns;
  const { endContent } = firstEdits(edits, done);
  await each(sides, (side) => {
    requireText(replicas.get(side)!.text(), endContent, `a replica that took in ${done} updates`);
    replicas.get(side)!.free?.();
  });
  return turns;
}

/** The document as it is stored; and loaded again, by turns. */
async function loadAgain(
  sides: readonly EngineSide[],
  { endContent }: Edits,
  documents: ReadonlyMap<EngineSide, EngineDocument>,
): Promise<void> {
  const saved = new Map<EngineSide, Uint8Array>();
  await each(sides, (side) => {
    const [usual] = documents.get(side)!.save?.() ?? [];
    if (usual === undefined) return;
    saved.set(side, usual.bytes);
    tell(side, { savedKiB: usual.bytes.byteLength / 1024 });
  });
  const tookMs = new Map(sides.map((side) => [side, [] as number[]]));
  const endMs = performance.now() + LOADS_MS;
  for (let load = 0; load < LOADS && performance.now() < endMs; load++) {
    await each(inOrderOf(sides, load), async (side) => {
      const bytes = saved.get(side);
      const { load } = side.engine;
      if (bytes === undefined || load === undefined) return;
      tookMs.get(side)!.push((await timeLoad(() => load(bytes), endContent)).textMs);
    });
  }
  // The process has loaded documents before: none of these is cold.
  await each(sides, (side) => {
    const warmMs = tookMs.get(side)!;
    if (warmMs.length > 0) tell(side, { loadWarmMs: median(warmMs) });
  });
}

/** About a millisecond of most engines. */
export const EDITS_PER_TURN = 2 * BATCH_EDITS;

interface Turns {
  /** Each side's time. */
  totalMs: ReadonlyMap<EngineSide, number>;
  /** How many edits each side has made that is not out. */
  done: number;
}

/**
 * Goes through `count` edits by turns of all sides that are not out, until one has used up its time.
 *
 * @param options.turn makes a side's edits from `from` to before `until`, and returns the time of that, ms
 */
async function takeTurns(
  sides: readonly EngineSide[],
  options: { count: number; limitMs: number; turn: (side: EngineSide, from: number, until: number) => number },
): Promise<Turns> {
  const { count, limitMs, turn } = options;
  const totalMs = new Map(sides.map((side) => [side, 0]));
  const isInTime = () => Math.max(...totalMs.values()) < limitMs;
  let done = 0;
  for (let number = 0; done < count && sides.some(isIn) && isInTime(); number++) {
    const until = Math.min(count, done + EDITS_PER_TURN);
    await each(inOrderOf(sides, number), (side) => {
      totalMs.set(side, totalMs.get(side)! + turn(side, done, until));
    });
    const isStretchOver = Math.floor(until / EDITS_PER_STRETCH) > Math.floor(done / EDITS_PER_STRETCH);
    done = until;
    // All clocks stand between turns.
    if (isStretchOver) await letGo();
  }
  return { totalMs, done };
}
