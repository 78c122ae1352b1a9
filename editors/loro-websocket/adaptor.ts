/** The library's adaptor between a document and its room, with what it sends and what it receives gathered in batches. */
import { LoroAdaptor } from 'loro-adaptors/loro';
import { VersionVector } from 'loro-crdt';
import { type JoinResponseOk, UpdateStatusCode } from 'loro-protocol';
import type Delta from 'quill-delta';
import {
  type Batcher,
  type Batching,
  type ConnectionWatch,
  createBatcher,
  gatherReceived,
  type TurnedAwayAs,
} from '../base/kit.ts';
import type { LoroDocument } from '../loro/document.ts';

type Room = Parameters<LoroAdaptor['setCtx']>[0];

const REFUSED: Readonly<Record<number, { why: string; how: TurnedAwayAs }>> = {
  [UpdateStatusCode.PermissionDenied]: { why: 'permission denied', how: 'read-only' },
  [UpdateStatusCode.PayloadTooLarge]: { why: 'it is too large', how: 'too large' },
  [UpdateStatusCode.RateLimited]: { why: 'there are too many', how: 'rate limit' },
};

export class BatchingAdaptor extends LoroAdaptor {
  /** Gets what others changed, once for each receive batch. Null: nobody sees the document yet, and it takes all in at once. */
  show: ((change: Delta) => void) | null = null;
  readonly #document: LoroDocument;
  readonly #incoming: Batcher<Uint8Array>;
  /** Null: each change is committed by itself, and the library sends what is committed. */
  readonly #outgoing: Batcher<Delta> | null;
  readonly #onInSync: () => void;
  readonly #onRefused: ConnectionWatch['refused'];
  #room: Room | null = null;
  #isCatchingUp = false;
  #isInRoom = false;
  /** True while something waits for a send batch to end. */
  #hasUnsent = false;
  /** The server's version when the room was joined, until this replica has reached it. */
  #awaited: VersionVector | null = null;

  constructor(
    document: LoroDocument,
    {
      batching,
      onInSync,
      onRefused,
    }: { batching: Batching; onInSync: () => void; onRefused: ConnectionWatch['refused'] },
  ) {
    super(document.doc);
    this.#document = document;
    this.#onInSync = onInSync;
    this.#onRefused = onRefused;
    this.#incoming = gatherReceived(batching, (updates) => this.#takeIn(updates));
    this.#outgoing = batching.sendMs === 0 ? null : createBatcher(batching.sendMs, () => this.#send());
  }

  /** Applies what the user did. */
  change(delta: Delta): void {
    this.#document.change(delta);
    if (this.#outgoing === null) this.#document.doc.commit();
    else {
      this.#hasUnsent = true;
      this.#outgoing.add(delta);
    }
  }

  /** True if all that this user did has left for the server, over the connection that there is. */
  get hasSentAll(): boolean {
    return this.#isInRoom && !this.#hasUnsent;
  }

  /** The connection broke: nobody knows what of the last updates the server has. */
  leftRoom(): void {
    this.#isInRoom = false;
  }

  /** Takes in, and sends, what waits. */
  flush(): void {
    this.#incoming.flush();
    this.#outgoing?.flush();
  }

  override setCtx(room: Room): void {
    this.#room = room;
    const send = (updates: Uint8Array[]) => {
      // Taking others' updates in commits, too: what is committed within a batch goes with it.
      if (this.#outgoing === null || this.#isCatchingUp) room.send(updates);
    };
    super.setCtx({ ...room, send });
  }

  /** The server let this replica in, for the first time or again. */
  override handleJoinOk(response: JoinResponseOk): Promise<void> {
    // The library now sends all that the server lacks, and that has what waits.
    this.#document.takeMessage();
    this.#outgoing?.stop();
    this.#hasUnsent = false;
    this.#isCatchingUp = true;
    const sent = super.handleJoinOk(response);
    this.#isCatchingUp = false;
    this.#isInRoom = true;
    this.#awaited = VersionVector.decode(response.version);
    this.#checkInSync();
    return sent;
  }

  override applyUpdate(updates: Uint8Array[]): void {
    if (this.show === null) this.#takeIn(updates);
    else for (const update of updates) this.#incoming.add(update);
  }

  /** The server does not take an update, and would not take it again. */
  override onUpdateError(updates: Uint8Array[], code: number, reason?: string): void {
    super.onUpdateError(updates, code, reason);
    // It came before the server had let this replica in again: the library then sends what the server lacks, and that with it.
    if (!this.#isInRoom) return;
    const { why, how } = REFUSED[code] ?? { why: reason ?? `code ${code}`, how: 'refused' };
    this.#onRefused(`it does not take an update: ${why}`, how);
  }

  override destroy(): void {
    this.#incoming.stop();
    this.#outgoing?.stop();
    super.destroy();
  }

  #takeIn(updates: Uint8Array[]): void {
    super.applyUpdate(updates);
    const change = this.#document.takeReceived();
    this.show?.(change);
    this.#checkInSync();
  }

  #send(): void {
    this.#hasUnsent = false;
    const message = this.#document.takeMessage();
    if (message !== null) this.#room?.send([message]);
  }

  #checkInSync(): void {
    if (this.#awaited === null) return;
    const version = this.#document.doc.oplogVersion();
    // Undefined: each has what the other lacks.
    const comparison = version.compare(this.#awaited);
    version.free();
    if (comparison === undefined || comparison < 0) return;
    this.#awaited.free();
    this.#awaited = null;
    this.#onInSync();
  }
}
