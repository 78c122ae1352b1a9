/** A concurrent trace: a replica for each author, who take in one another's updates as the trace says. */
import { messageOf } from '../../results/user-error.ts';
import type { Engine, EngineDocument } from '../engines/engine.ts';
import { growth, memoryAfterCollection, printFigures, printLines, requireText } from '../measurement.ts';
import { SubjectFailure } from '../scenario.ts';
import type { Step, Steps } from './edit-files.ts';
import type { ReplayTask } from './engines.ts';
import { EDITS_PER_READING, EDITS_PER_STRETCH, letGo, printHarnessCost } from './stopwatch.ts';

/** @throws SubjectFailure if it cannot merge, is not done in time, or does not end with the text at every author */
export async function measureConcurrent(engine: Engine, trace: Steps, order: Order): Promise<void> {
  const warmUp = { ...trace, steps: trace.steps.slice(0, WARM_UP_STEPS), last: [] };
  await replaySteps(engine, warmUp, order);
  const before = await memoryAfterCollection();
  const { documents, applyMs, receiveMs, updatesBytes } = await replaySteps(engine, trace, order);
  const held = growth(before, await memoryAfterCollection());
  const edits = trace.steps.reduce((sum, step) => sum + step.edits.length, 0);
  printFigures({ applyMs, editsPerSecond: (1000 * edits) / applyMs, receiveMs, updatesKiB: updatesBytes / 1024 });
  printFigures({ ...held });
  await printHarnessCost(edits, async (idle) => {
    const endless = { ...order, limitMs: Number.POSITIVE_INFINITY };
    return (await replaySteps({ ...engine, open: () => idle }, trace, endless)).applyMs;
  });
  for (const [agent, document] of documents.entries()) {
    requireText(document.text(), trace.endContent, `author ${agent}’s document`);
    document.free?.();
  }
  await tryOtherOrder(engine, trace, { ...order, identities: order.identities.toReversed() });
}

/**
 * Where two typed at one place, the order of their identities may decide whose text comes first, so that half of all sessions end
 * otherwise than the recorded one. All of its authors must end alike in that order, too.
 */
async function tryOtherOrder(engine: Engine, trace: Steps, order: Order): Promise<void> {
  const note = (message: string) => printLines({ type: 'note', code: 'order-of-identities', message });
  let documents: EngineDocument[];
  try {
    ({ documents } = await replaySteps(engine, trace, order));
  } catch (error) {
    if (error instanceof SubjectFailure) throw error;
    // A place in the recorded text may lie beyond the end of another one.
    return note(`with its authors’ identities in the other order, the recorded edits do not fit: ${messageOf(error)}`);
  }
  const texts = documents.map((document) => document.text());
  for (const [agent, text] of texts.entries()) {
    requireText(text, texts[0]!, `with identities in the other order, author ${agent}’s document`);
  }
  for (const document of documents) document.free?.();
  if (texts[0] !== trace.endContent) {
    note('with its authors’ identities in the other order, all end with one text, which is not the recorded one');
  }
}

/** Enough for the engine's code to be compiled. */
const WARM_UP_STEPS = 1000;

interface Replayed {
  documents: EngineDocument[];
  /** All of it; and what of that was taking in others' updates. */
  applyMs: number;
  receiveMs: number;
  updatesBytes: number;
}

/** The authors' identities, in the order of their numbers. */
type Order = Pick<ReplayTask, 'identities' | 'limitMs'>;

/** @throws SubjectFailure if it cannot merge, or is not done in time */
export async function replaySteps(
  engine: Engine,
  { steps, last }: Steps,
  { identities, limitMs }: Order,
): Promise<Replayed> {
  const documents = await Promise.all(identities.map((identity) => engine.open({ identity, updates: true })));
  const updates: Uint8Array[][] = [];
  let receiveMs = 0;
  let startMs = performance.now();
  const receive = (agent: number, transactions: readonly number[]) => {
    if (transactions.length === 0) return;
    const joinedMs = performance.now();
    const joined = transactions.flatMap((transaction) => updates[transaction]!);
    const receivedMs = performance.now();
    // Joining is this program's work, not the engine's.
    startMs += receivedMs - joinedMs;
    take(documents[agent]!, joined);
    receiveMs += performance.now() - receivedMs;
  };
  for (const [index, { agent, receives, edits }] of steps.entries()) {
    receive(agent, receives);
    updates.push(edits.map((edit) => typed(documents[agent]!, edit)));
    if (index % EDITS_PER_READING === 0 && performance.now() - startMs > limitMs) {
      throw new SubjectFailure(
        'out-of-time',
        `it had made ${index} of ${steps.length} transactions after ${limitMs / 1000} s`,
      );
    }
    // Most steps are one edit. The clock stands meanwhile.
    if ((index + 1) % EDITS_PER_STRETCH === 0) {
      const freeMs = await letGo();
      startMs += freeMs;
    }
  }
  for (const [agent, transactions] of last.entries()) receive(agent, transactions);
  const applyMs = performance.now() - startMs;
  const updatesBytes = updates.flat().reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { documents, applyMs, receiveMs, updatesBytes };
}

function take(document: EngineDocument, updates: readonly Uint8Array[]): void {
  if (document.receive === undefined) throw new SubjectFailure('not-offered', 'it takes in no updates of others');
  document.receive(updates);
}

function typed(document: EngineDocument, [position, deleted, inserted]: Step['edits'][number]): Uint8Array {
  document.edit(position, deleted, inserted);
  if (document.takeUpdate === undefined) throw new SubjectFailure('not-offered', 'it gives no updates of its edits');
  return document.takeUpdate();
}
