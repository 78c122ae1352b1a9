/** One replica of the Collabs document: a runtime with one rich text, whose first state is the same for everyone. */
import { CRichText, CRuntime } from '@collabs/collabs';
import { LINE_FORMAT } from '../base/binding/line-formats.ts';
import { type Clock, covers, LastMessages, wholeDocumentOf } from '../base/binding/whole-document.ts';

/** The base of causal order in Collabs: its own vector clocks, or the network's word. */
export interface Ordering {
  causalityGuaranteed: boolean;
}

interface CollabsReplica {
  runtime: CRuntime;
  text: CRichText;
}

/** Ids that no user draws: those are random, and longer. */
const SEED_ID = 'INIT';
const RELAY_ID = 'RELAY';

/** An empty replica: load a state before use. Without an id it draws a random one. */
export function createReplica({ causalityGuaranteed }: Ordering, debugReplicaID?: string): CollabsReplica {
  const runtime = new CRuntime({ causalityGuaranteed, autoTransactions: 'error', debugReplicaID });
  // Bold and italic grow at the end, as they do by default; the format of a line stays on its "\n".
  const text = runtime.registerCollab('text', (init) => new CRichText(init, { noGrowAtEnd: [LINE_FORMAT] }));
  return { runtime, text };
}

/** The saved state that every replica starts from: exactly one "\n". */
export const SEED_STATE: Uint8Array = makeSeed();

function makeSeed(): Uint8Array {
  const { runtime, text } = createReplica({ causalityGuaranteed: true }, SEED_ID);
  runtime.transact(() => text.insert(0, '\n', {}));
  return runtime.save();
}

/** One saved state from another (null: the first) and the messages after it: what the relay hands to a newcomer. */
export function compactLog(ordering: Ordering, savedState: Uint8Array | null, log: readonly Uint8Array[]): Uint8Array {
  const { runtime } = createReplica(ordering, RELAY_ID);
  runtime.load(savedState ?? SEED_STATE);
  receiveAll(runtime, log);
  return runtime.save();
}

/**
 * Takes in the library's messages, and whole documents, in one batch. The library merges saved states, but brings back characters
 * that it met in none but one where they were deleted already: so messages are preferred (see the known issues).
 */
export function receiveAll(runtime: CRuntime, messages: readonly Uint8Array[]): void {
  runtime.batchRemoteUpdates(() => {
    for (const message of messages) {
      const whole = wholeDocumentOf(message);
      if (whole === null) runtime.receive(message);
      else if (!covers(clockOf(runtime), whole.since)) runtime.load(whole.state);
      else for (const each of whole.messages) runtime.receive(each);
    }
  });
}

/** Keeps what makes a whole document of the runtime, from here on. */
export function followMessages(runtime: CRuntime): () => Uint8Array {
  const start = () => new LastMessages(() => clockOf(runtime));
  let last = start();
  runtime.on('Update', ({ updateType, update }) => {
    if (updateType === 'message') last.add(update);
    else last = start();
  });
  return () => last.withState(runtime.save());
}

function clockOf(runtime: CRuntime): Clock {
  return Object.fromEntries(runtime.vectorClock());
}
