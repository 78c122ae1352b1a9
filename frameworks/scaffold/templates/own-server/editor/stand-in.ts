/**
 * In the place of a library until there is one: a document whose server gives all changes one order, and what its client
 * and its server say to each other. A client sends one change at a time, made to the changes that it has; what others
 * changed meanwhile is transformed against it, and it against that. Of two changes at one place, the one that the
 * server took first stands first and keeps its formats.
 */
import Delta, { type Op } from 'quill-delta';

/** In the query of a client's address: who it is, a random text that stays through all its connections. */
export const CLIENT_PARAMETER = 'client';
/** The same: how many changes it has; absent the first time. */
export const REVISION_PARAMETER = 'revision';

/** What every document begins with. */
export const SEED: readonly Op[] = [{ insert: '\n' }];

/** A change to the document that so many changes had made. */
export interface FromClient {
  ops: Op[];
  revision: number;
}

export type FromServer =
  /** To a newcomer: the document, and how many changes made it. */
  | { kind: 'document'; ops: Op[]; revision: number }
  /** The next change is somebody else's. */
  | { kind: 'change'; ops: Op[] }
  /** The next change is the one that this client sent. */
  | { kind: 'taken' }
  /** To a client that came back, once it has all that it missed. */
  | { kind: 'caught up' };

export interface StandInOptions {
  send: (message: string) => void;
  /** The document is what the server holds, and this user's own changes on top: for the first time, or again. */
  onInSync: () => void;
}

/** One user's copy: what the server has said so far, with this user's own changes on top. */
export class StandIn {
  readonly #options: StandInOptions;
  readonly #id = crypto.randomUUID();
  #contents = new Delta();
  /** How many changes it has of those that the server has put in order; null: it has no document yet. */
  #revision: number | null = null;
  #inSync = false;
  /** On its way to the server, as if made now; null: nothing is. */
  #sent: Delta | null = null;
  /** Made since. */
  #unsent = new Delta();
  #whenWritten = () => {};

  constructor(options: StandInOptions) {
    this.#options = options;
  }

  get contents(): Delta {
    return this.#contents;
  }

  /** What the server must know of a client that connects, as its address's query. */
  get query(): string {
    const who = `${CLIENT_PARAMETER}=${this.#id}`;
    return this.#revision === null ? who : `${who}&${REVISION_PARAMETER}=${this.#revision}`;
  }

  get canSend(): boolean {
    return this.#inSync && this.#sent === null && this.#unsent.ops.length > 0;
  }

  change(delta: Delta): void {
    this.#contents = this.#contents.compose(delta);
    this.#unsent = this.#unsent.compose(delta);
  }

  /** Sends what the user did since the last time, unless that one is still on its way. */
  send(): void {
    if (!this.canSend) return;
    this.#sent = this.#unsent;
    this.#unsent = new Delta();
    this.#sendOnce();
  }

  /** @returns what the server's message changes here, apart from giving it its first document */
  receive(text: string): Delta {
    const message = JSON.parse(text) as FromServer;
    if (message.kind === 'change') return this.#receiveChange(new Delta(message.ops));
    if (message.kind === 'taken') {
      this.#sent = null;
      this.#revision!++;
      if (this.#unsent.ops.length === 0) this.#whenWritten();
      return new Delta();
    }
    if (message.kind === 'document') {
      this.#contents = new Delta(message.ops);
      this.#revision = message.revision;
    }
    this.#inSync = true;
    // The server did not get it, or it would have said so by now.
    if (this.#sent !== null) this.#sendOnce();
    this.#options.onInSync();
    return new Delta();
  }

  /** The connection broke: nothing is sent until the server has said what was missed. */
  broke(): void {
    this.#inSync = false;
    this.#whenWritten();
  }

  /** Until the server has taken everything, or the connection breaks. */
  written(): Promise<void> {
    if (!this.#inSync || (this.#sent === null && this.#unsent.ops.length === 0)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenWritten = resolve;
    });
  }

  #sendOnce(): void {
    const message: FromClient = { ops: this.#sent!.ops, revision: this.#revision! };
    this.#options.send(JSON.stringify(message));
  }

  #receiveChange(change: Delta): Delta {
    const sent = this.#sent ?? new Delta();
    const behindSent = sent.transform(change, false);
    const shown = this.#unsent.transform(behindSent, false);
    if (this.#sent !== null) this.#sent = change.transform(sent, true);
    this.#unsent = behindSent.transform(this.#unsent, true);
    this.#contents = this.#contents.compose(shown);
    this.#revision!++;
    return shown;
  }
}
