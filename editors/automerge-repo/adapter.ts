/** The library's WebSocket adapter, with what it receives gathered in batches, and with its connection's fate told. */
import * as Automerge from '@automerge/automerge';
import type { SyncMessage } from '@automerge/automerge-repo';
import { type Batcher, gatherReceived } from '../base/binding/batching.ts';
import { whyNotOpened } from '../base/binding/reconnecting.ts';
import type { Batching } from '../base/framework.ts';
import { SteadyAdapter } from './steady-adapter.ts';

export interface ConnectionWatcher {
  /** The server answered, after a break. */
  onConnected(): void;
  /** The connection ended, or could not be made again. The adapter tries again until `disconnect`. */
  onBroken(code: number): void;
  /** A batch was given to the repository, which takes it in before the next task. */
  onReceived(message: Uint8Array): void;
}

export class BatchingAdapter extends SteadyAdapter {
  /** Gets what happens after the first connection. */
  watcher: ConnectionWatcher | null = null;
  /** Rejects if the first connection cannot be made. */
  readonly connected: Promise<void>;
  readonly #incoming: Batcher<SyncMessage>;

  constructor(options: { url: string; batching: Batching }) {
    super(options.url);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.connected = promise;
    const emit: typeof this.emit = this.emit.bind(this);
    this.emit = (name, ...details) => {
      const [message] = details;
      if (!isSyncMessage(message)) return emit(name, ...details);
      this.#incoming.add(message);
      return true;
    };
    this.on('peer-candidate', () => {
      this.watcher?.onConnected();
      resolve();
    });
    this.#incoming = gatherReceived(options.batching, (messages) => {
      const data = mergeSyncMessages(messages.map((message) => message.data));
      emit('message', { ...messages.at(-1)!, data });
      this.watcher?.onReceived(data);
    });
    const reconnectLater = this.onClose;
    this.onClose = (event?: { code: number }) => {
      // The server knows that it sent what waits, and sends it only once; the library would have it by now.
      this.#incoming.flush();
      reconnectLater();
      this.watcher?.onBroken(event?.code ?? 0);
      reject(new Error(whyNotOpened({ framework: 'automerge-repo', url: options.url })));
    };
  }

  override disconnect(): void {
    this.#incoming.stop();
    super.disconnect();
  }
}

function isSyncMessage(message: object | undefined): message is SyncMessage {
  return message !== undefined && 'type' in message && message.type === 'sync';
}

/** The second version holds changes in a form of its own, within which the first version's may stand, too. */
type DecodedMessage = Automerge.DecodedSyncMessage & { type?: 'v1' | 'v2' };

/**
 * Sync messages that arrived together, as one: a receive batch is then one transaction, and one answer.
 *
 * @param messages of one sender, in the order of sending; at least one. What each says of the sender's state holds until
 *        the next one; the changes add up.
 */
export function mergeSyncMessages(messages: readonly Uint8Array[]): Uint8Array {
  const [only] = messages;
  if (only !== undefined && messages.length === 1) return only;
  const decoded = messages.map((message): DecodedMessage => Automerge.decodeSyncMessage(message));
  const merged: DecodedMessage = { ...decoded.at(-1)!, changes: decoded.flatMap(({ changes }) => changes) };
  if (decoded.some(({ type }) => type === 'v2')) merged.type = 'v2';
  return Automerge.encodeSyncMessage(merged);
}

/** The heads of the sender's document when it wrote the message. */
export function headsOf(message: Uint8Array): Automerge.Heads {
  return Automerge.decodeSyncMessage(message).heads;
}
