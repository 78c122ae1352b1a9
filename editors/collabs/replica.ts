/** One replica of the Collabs document: a runtime with one rich text, whose first state is the same for everyone. */
import { CRichText, CRuntime, type CTotalOrder, LocalList, type Serializer, type Waypoint } from '@collabs/collabs';
import { LINE_FORMAT } from '../base/binding/line-formats.ts';

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
  rememberDeleted(Reflect.get(text, 'text'));
  return { runtime, text };
}

/** The list in a CRichText: private, as in Collabs 0.13.4. */
interface Characters {
  load(saved: { self?: Uint8Array } | null, ...meta: unknown[]): void;
  list: LocalList<string>;
  totalOrder: CTotalOrder;
  valueArraySerializer: Serializer<string[]>;
}

/**
 * A list that merges a saved state forgets the characters that came and went in that: another state brings them back (see the known
 * issues). So those are put into it, and taken out. A list that another version of the library made otherwise stays as it is.
 */
function rememberDeleted(characters: Characters | undefined): void {
  if (!isKnown(characters)) return;
  const load = characters.load.bind(characters);
  characters.load = (saved, ...meta) => {
    const { list, totalOrder, valueArraySerializer } = characters;
    const merges = !list.inInitialState;
    load(saved, ...meta);
    if (!merges || saved?.self === undefined) return;
    const other = new LocalList<string>(totalOrder);
    other.load(saved.self, valueArraySerializer);
    for (const [waypoint, { seen }] of Reflect.get(other, 'valuesByWaypoint') as Map<Waypoint, { seen: number }>) {
      if (list.getSeen(waypoint) >= seen) continue;
      const last = totalOrder.encode(waypoint, seen - 1);
      list.set(last, '');
      list.delete(last);
    }
  };
}

function isKnown(characters: Partial<Characters> | undefined): characters is Characters {
  const { load, list, totalOrder, valueArraySerializer } = characters ?? {};
  const seen = list === undefined ? undefined : Reflect.get(list, 'valuesByWaypoint');
  return [load, totalOrder?.encode, list?.getSeen, valueArraySerializer].every(Boolean) && seen instanceof Map;
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

/** First byte of a whole document; a message of the library, which is Protobuf's, never begins with it. */
const WHOLE = 127;

/** The runtime's saved state as a message. */
export function wholeAsMessage(runtime: CRuntime): Uint8Array {
  const state = runtime.save();
  const message = new Uint8Array(1 + state.length);
  message[0] = WHOLE;
  message.set(state, 1);
  return message;
}

/** Takes in the library's messages, and whole documents, in one batch. */
export function receiveAll(runtime: CRuntime, messages: readonly Uint8Array[]): void {
  runtime.batchRemoteUpdates(() => {
    for (const message of messages) {
      if (message[0] === WHOLE) runtime.load(message.subarray(1));
      else runtime.receive(message);
    }
  });
}
