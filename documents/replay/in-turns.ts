/**
 * `node in-turns.ts JSON`: the process of one trial of several engines, which replay one trace by turns of about a millisecond. A
 * machine that changes its speed within seconds then meets all alike, and their figures differ by the engines alone. Prints a
 * line `subject` before the lines of each engine.
 *
 * @see Bulej et al. 2020, "Duet Benchmarking", doi:10.1145/3358960.3379132: the same idea with both at once
 */
import { quantile } from '../../analysis/statistics/quantile.ts';
import { nowMs } from '../../infra/clock.ts';
import { type RecordLine, SCHEMA_VERSION } from '../../results/formats/records.ts';
import type { Engine, EngineDocument } from '../engines/engine.ts';
import { loadEngine } from '../engines/load.ts';
import { figureLines, measureTask, printLines, requireText } from '../measurement.ts';
import { SubjectFailure } from '../scenario.ts';
import { contentAfter, type Edits, readEdits } from './edits.ts';
import { BATCH_EDITS, UpdateStore } from './remote.ts';

export interface InTurnsTask {
  engines: readonly string[];
  /** The file of the edits. */
  edits: string;
  /** Of the author and of the replicas that follow. */
  identities: readonly number[];
  limitMs: number;
  remoteMs: number;
}

/** About a millisecond of most engines. */
const EDITS_PER_TURN = 2 * BATCH_EDITS;
/** Enough for the engines' code to be compiled. */
const WARM_UP_EDITS = 4096;
const LOADS = 16;

/** One engine in the process. */
interface Side {
  name: string;
  engine: Engine;
  lines: RecordLine[];
  /** True: it did not do its task, and takes no further turn. */
  isOut: boolean;
}

/** @throws an engine's own error, which is nobody's figure */
export async function replayInTurns(engines: ReadonlyMap<string, Engine>, edits: Edits, task: InTurnsTask) {
  const warm = firstEdits(edits, WARM_UP_EDITS);
  await measureSides(sidesOf(engines), warm, task);
  const sides = sidesOf(engines);
  await measureSides(sides, edits, task);
  return new Map(sides.map(({ name, lines }) => [name, lines]));
}

function sidesOf(engines: ReadonlyMap<string, Engine>): Side[] {
  return [...engines].map(([name, engine]) => ({ name, engine, lines: [], isOut: false }));
}

async function measureSides(sides: readonly Side[], edits: Edits, task: InTurnsTask): Promise<void> {
  const typed = await type(sides, edits, task);
  for (const [name, perUpdate] of [
    ['', 1],
    ['Batched', BATCH_EDITS],
  ] as const) {
    await follow(sides, edits, { ...task, name, perUpdate, updates: typed.updates });
  }
  await loadAgain(sides, edits, typed.documents);
  for (const document of typed.documents.values()) document.free?.();
}

/** All edits where they are typed. */
async function type(sides: readonly Side[], edits: Edits, { identities, limitMs }: InTurnsTask) {
  const { positions, deleted, inserted, count } = edits;
  const documents = new Map<Side, EngineDocument>();
  const stores = new Map(sides.map((side) => [side, new UpdateStore(count)]));
  const spentMs = new Map(sides.map((side) => [side, 0]));
  await each(sides, async (side) => {
    documents.set(side, await side.engine.open({ identity: identities[0]!, updates: true }));
  });
  await takeTurns(sides, {
    count,
    limitMs: Number.POSITIVE_INFINITY,
    turn(side, from, until) {
      if (spentMs.get(side)! > limitMs) {
        throw new SubjectFailure('out-of-time', `it had made ${from} of ${count} edits after ${limitMs / 1000} s`);
      }
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
      spentMs.set(side, spentMs.get(side)! + tookMs);
      return tookMs;
    },
  });
  await each(sides, (side) => {
    const applyMs = spentMs.get(side)!;
    requireText(documents.get(side)!.text(), edits.endContent, 'the document');
    tell(side, {
      applyMs,
      editsPerSecond: (1000 * count) / applyMs,
      updatesKiB: stores.get(side)!.bytes / 1024,
    });
  });
  return { documents, updates: new Map([...stores].map(([side, store]) => [side, store.updates()])) };
}

interface Following {
  name: string;
  perUpdate: number;
  updates: ReadonlyMap<Side, Uint8Array[]>;
}

/** The time of a replica that follows: the same updates for all, again at new replicas until the slowest has used up its time. */
async function follow(
  sides: readonly Side[],
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
  sides: readonly Side[],
  edits: Edits,
  { identities, limitMs, perUpdate, updates }: Omit<InTurnsTask & Following, 'remoteMs' | 'name'>,
): Promise<Turns> {
  const replicas = new Map<Side, EngineDocument>();
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
      for (let at = from; at < until; at += perUpdate) {
        given.push(updates.get(side)!.slice(at, Math.min(until, at + perUpdate)));
      }
      const startMs = performance.now();
      for (const batch of given) replica.receive(batch);
      return performance.now() - startMs;
    },
  });
  const { done } = turns;
  const content = done === edits.count ? edits.endContent : contentAfter(edits, done);
  await each(sides, (side) => {
    requireText(replicas.get(side)!.text(), content, `a replica that took in ${done} updates`);
    replicas.get(side)!.free?.();
  });
  return turns;
}

/** The document as it is stored; and loaded again, by turns. */
async function loadAgain(
  sides: readonly Side[],
  { endContent }: Edits,
  documents: ReadonlyMap<Side, EngineDocument>,
): Promise<void> {
  const saved = new Map<Side, Uint8Array>();
  await each(sides, (side) => {
    const [usual] = documents.get(side)!.save?.() ?? [];
    if (usual === undefined) return;
    saved.set(side, usual.bytes);
    tell(side, { savedKiB: usual.bytes.byteLength / 1024 });
  });
  const tookMs = new Map(sides.map((side) => [side, [] as number[]]));
  for (let load = 0; load < LOADS; load++) {
    await each(inOrderOf(sides, load), async (side) => {
      const bytes = saved.get(side);
      if (bytes === undefined || side.engine.load === undefined) return;
      const startMs = performance.now();
      const loaded = await side.engine.load(bytes);
      const text = loaded.text();
      tookMs.get(side)!.push(performance.now() - startMs);
      requireText(text, endContent, 'the document that was saved and loaded');
      loaded.free?.();
    });
  }
  await each(sides, (side) => {
    const [first, ...warm] = tookMs.get(side)!;
    if (first === undefined) return;
    tell(side, {
      loadMs: first,
      loadWarmMs: quantile(
        warm.sort((a, b) => a - b),
        0.5,
      ),
    });
  });
}

interface Turns {
  /** Each side's time. */
  totalMs: ReadonlyMap<Side, number>;
  /** How many edits each side has made that is not out. */
  done: number;
}

/**
 * Goes through `count` edits by turns of all sides that are not out, until one has used up its time.
 *
 * @param options.turn makes a side's edits from `from` to before `until`, and returns the time of that, ms
 */
async function takeTurns(
  sides: readonly Side[],
  {
    count,
    limitMs,
    turn,
  }: { count: number; limitMs: number; turn: (side: Side, from: number, until: number) => number },
): Promise<Turns> {
  const totalMs = new Map(sides.map((side) => [side, 0]));
  const isInTime = () => Math.max(...totalMs.values()) < limitMs;
  let done = 0;
  for (let number = 0; done < count && sides.some(isIn) && isInTime(); number++) {
    const until = Math.min(count, done + EDITS_PER_TURN);
    await each(inOrderOf(sides, number), (side) => {
      totalMs.set(side, totalMs.get(side)! + turn(side, done, until));
    });
    done = until;
  }
  return { totalMs, done };
}

function isIn({ isOut }: Side): boolean {
  return !isOut;
}

/** The order changes with each turn. */
function inOrderOf(sides: readonly Side[], turn: number): readonly Side[] {
  return turn % 2 === 0 ? sides : sides.toReversed();
}

/** Does it for each side that is not out; one's failure is no other's. */
async function each(sides: readonly Side[], act: (side: Side) => void | Promise<void>): Promise<void> {
  for (const side of sides) {
    if (side.isOut) continue;
    try {
      await act(side);
    } catch (error) {
      if (!(error instanceof SubjectFailure)) throw error;
      side.isOut = true;
      side.lines.push({ type: 'failure', code: error.code, message: error.message });
    }
  }
}

function tell(side: Side, figures: Readonly<Record<string, number | null>>): void {
  side.lines.push(...figureLines(figures));
}

function firstEdits(edits: Edits, atMost: number): Edits {
  const count = Math.min(atMost, edits.count);
  return { ...edits, count, endContent: count === edits.count ? edits.endContent : contentAfter(edits, count) };
}

if (import.meta.main) {
  await measureTask(async (task: InTurnsTask) => {
    const loaded = await Promise.all(task.engines.map(async (name) => [name, await loadEngine(name)] as const));
    const measured = await replayInTurns(new Map(loaded), await readEdits(task.edits), task);
    for (const [engine, lines] of measured) {
      printLines(
        {
          type: 'subject',
          schemaVersion: SCHEMA_VERSION,
          scenario: 'replay',
          of: { engine },
          version: '',
          atMs: nowMs(),
        },
        ...lines,
      );
    }
  });
}
