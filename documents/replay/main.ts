/** `node main.ts JSON`: the process of one trial. Replays edits into one engine, or several in turns, and prints what that took. */
import { readFile } from 'node:fs/promises';
import { median } from '../../analysis/statistics/quantile.ts';
import type { Engine, EngineDocument } from '../engines/engine.ts';
import { loadEngine } from '../engines/load.ts';
import {
  growth,
  KIB,
  type Memory,
  MIB,
  measureTask,
  memoryAfterCollection,
  printFigures,
  printLines,
  requireText,
  timeLoad,
  wholeKiB,
} from '../measurement.ts';
import { SubjectFailure } from '../scenario.ts';
import { printSides } from '../turns.ts';
import { measureConcurrent } from './concurrent.ts';
import { type Edits, makeEdit, readEdits } from './edits.ts';
import type { ReplayTask } from './engines.ts';
import { type InTurnsTask, replayInTurns } from './in-turns.ts';
import { isFollowed, measureRemote, UpdateStore, warmUpRemote } from './remote.ts';
import {
  EDITS_PER_READING,
  extrapolate,
  printHarnessCost,
  requireAll,
  type Timed,
  timeEdits,
  timeEditsInStretches,
} from './stopwatch.ts';

/** A short replay into a document that is thrown away warms the engine's code up; then the one that is measured. */
async function measureSequential(engine: Engine, edits: Edits, task: ReplayTask): Promise<void> {
  const { observe, identities, limitMs, remoteMs, ofEdits } = task;
  const takesUpdates = observe === 'updates';
  const keepsUpdates = isFollowed(task, edits);
  await warmUp(engine, edits, task);
  const store = () => (keepsUpdates ? new UpdateStore(edits.count) : null);
  await printHarnessCost(edits.count, async (idle) => {
    const options = { takesUpdates, kept: store(), limitMs: Number.POSITIVE_INFINITY };
    return (await timeEach(idle, edits, options)).totalMs;
  });

  const before = await memoryAfterCollection();
  const document = await engine.open({ identity: identities[0]!, updates: takesUpdates });
  const kept = store();
  const timed =
    observe === 'once'
      ? timeTogether(document, edits, limitMs)
      : await timeEach(document, edits, { takesUpdates, kept, limitMs });
  requireAll(timed, edits.count);
  printTimes(timed, edits, observe);
  if (edits.count < ofEdits && observe !== 'once') {
    printFigures({ extrapolatedMs: extrapolate(timed.curve, ofEdits) });
  }
  printMemory(growth(before, await memoryAfterCollection()), kept);
  requireText(document.text(), edits.endContent, 'the document');
  await measureSaved(engine, document, edits);
  document.free?.();
  if (kept !== null)
    await measureRemote(engine, kept.updates(), edits, { identity: identities[1]!, limitMs: remoteMs });
}

const NO_UPDATE = new Uint8Array(0);

/** So many edits: enough for the engine's code to be compiled, and few beside a whole trace. */
const WARM_UP_EDITS = 2000;

async function warmUp(engine: Engine, edits: Edits, task: ReplayTask): Promise<void> {
  const [identity, other] = task.identities;
  const document = await engine.open({ identity: identity!, updates: task.observe === 'updates' });
  const updates: Uint8Array[] = [];
  for (let index = 0; index < Math.min(WARM_UP_EDITS, edits.positions.length); index++) {
    makeEdit(document, edits, index);
    if (task.observe === 'updates' && document.takeUpdate !== undefined) updates.push(document.takeUpdate());
  }
  document.free?.();
  if (isFollowed(task, edits)) await warmUpRemote(engine, updates, other!);
}

type TimedWithUpdates = Timed & { updatesBytes: number };

async function timeEach(
  document: EngineDocument,
  { count, positions, deleted, inserted }: Edits,
  { takesUpdates, kept, limitMs }: { takesUpdates: boolean; kept: UpdateStore | null; limitMs: number },
): Promise<TimedWithUpdates> {
  const once = positions.length;
  let updatesBytes = 0;
  const make = (number: number) => {
    const index = number < once ? number : number % once;
    document.edit(positions[index]!, deleted[index]!, inserted[index]!);
  };
  if (!takesUpdates) return { ...(await timeEditsInStretches(count, make, limitMs)), updatesBytes };
  if (document.takeUpdate === undefined) throw new SubjectFailure('not-offered', 'it gives no updates of its edits');
  // Those of edits that are timed together: they are counted and kept when the clock stands.
  const taken: Uint8Array[] = new Array(EDITS_PER_READING).fill(NO_UPDATE);
  let latest = 0;
  const makeAndTake = (number: number) => {
    make(number);
    taken[latest++] = document.takeUpdate!();
  };
  const keep = () => {
    for (let index = 0; index < latest; index++) {
      updatesBytes += taken[index]!.byteLength;
      kept?.add(taken[index]!);
    }
    latest = 0;
  };
  const timed = await timeEditsInStretches(count, makeAndTake, limitMs, keep);
  return { ...timed, updatesBytes };
}

/** The transaction's end counts, too: there some engines do their work. */
function timeTogether(
  document: EngineDocument,
  { count, positions, deleted, inserted }: Edits,
  limitMs: number,
): TimedWithUpdates {
  if (document.together === undefined)
    throw new SubjectFailure('not-offered', 'it has no transaction of several edits');
  const once = positions.length;
  let timed: Timed | null = null;
  const startMs = performance.now();
  document.together((edit) => {
    const make = (number: number) => {
      const index = number % once;
      edit(positions[index]!, deleted[index]!, inserted[index]!);
    };
    timed = timeEdits(count, make, limitMs);
    requireAll(timed, count);
  });
  return { ...timed!, totalMs: performance.now() - startMs, updatesBytes: 0 };
}

function printTimes(timed: TimedWithUpdates, { count }: Edits, observe: ReplayTask['observe']): void {
  printFigures({ applyMs: timed.totalMs, editsPerSecond: (1000 * count) / timed.totalMs });
  if (observe === 'updates') printFigures({ updatesKiB: timed.updatesBytes / KIB });
  // In one transaction some engines do their work at its end only, which is no edit's.
  if (observe === 'once') return;
  printFigures({ worstEditMs: timed.worstMs });
  printLines({ type: 'curve', curve: 'editMicroseconds', ...timed.curve });
}

/** Updates that were kept for the remote side are the measurement's, not the document's. */
function printMemory(held: Memory, kept: UpdateStore | null): void {
  printFigures({
    heapMiB: held.heapMiB,
    externalMiB: wholeKiB(held.externalMiB - (kept?.heldBytes ?? 0) / MIB),
    residentMiB: held.residentMiB - (kept?.writtenBytes ?? 0) / MIB,
  });
}

/** Loads after the first, at most, and how long all may take together. */
const WARM_LOADS = 5;
const WARM_LOADS_MS = 3000;

/** The document as it is stored, and whether it comes back. */
async function measureSaved(engine: Engine, document: EngineDocument, { endContent }: Edits): Promise<void> {
  const encodings = document.save?.() ?? [];
  const [usual] = encodings;
  if (usual === undefined) return;
  const leastKiB = (hasHistory: boolean) => {
    const sizes = encodings.filter(({ history }) => history === hasHistory).map(({ bytes }) => bytes.byteLength);
    return sizes.length === 0 ? null : Math.min(...sizes) / KIB;
  };
  printFigures({
    savedKiB: usual.bytes.byteLength / KIB,
    savedWithHistoryKiB: leastKiB(true),
    savedWithoutHistoryKiB: leastKiB(false),
  });
  const v2 = encodings.find(({ name }) => name === 'V2');
  if (v2 !== undefined) printFigures({ savedV2KiB: v2.bytes.byteLength / KIB });
  const { load } = engine;
  if (load === undefined) return;
  const loadMs = async () => (await timeLoad(() => load(usual.bytes), endContent)).textMs;
  const startMs = performance.now();
  printFigures({ loadMs: await loadMs() });
  const warmMs: number[] = [];
  while (warmMs.length < WARM_LOADS && performance.now() - startMs < WARM_LOADS_MS) warmMs.push(await loadMs());
  if (warmMs.length > 0) printFigures({ loadWarmMs: median(warmMs) });
}

// Last, so that all that it needs is there.
await measureTask(async (task: ReplayTask | InTurnsTask) => {
  if ('engines' in task) {
    const engines = await Promise.all(task.engines.map(async (name) => [name, await loadEngine(name)] as const));
    return printSides('replay', await replayInTurns(new Map(engines), await readEdits(task.edits), task));
  }
  const engine = await loadEngine(task.engine);
  if (task.isConcurrent) await measureConcurrent(engine, JSON.parse(await readFile(task.edits, 'utf8')), task);
  else await measureSequential(engine, await readEdits(task.edits), task);
});
