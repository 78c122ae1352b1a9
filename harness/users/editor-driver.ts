/** EditorDriver: what carries out one user's actions at an editor. Each kind is a folder here; see drivers.ts. */

import type { KeyTimings } from '../../editors/base/instrument/key-watch.ts';
import type { EditAccount } from '../../editors/base/instrument/ledger.ts';
import type { MessageSample } from '../../editors/base/instrument/message-sample.ts';
import type { OwnSigil } from '../../editors/base/instrument/own-sigils.ts';
import type { ClockOffset } from '../../infra/clock.ts';
import type { Assignment, DocumentState, Sent } from '../trial/protocol.ts';
import type { Copies, CopiesOptions } from './copies.ts';
import type { Action } from './typing/typist.ts';

export interface EditorDriver {
  /** Opens the editor and joins the document. */
  join(assignment: Assignment, events: EditorDriverEvents): Promise<void>;
  /** Resolves when the editor acknowledged the action: its handlers ran. */
  perform(action: Action): Promise<void>;
  /** Offset of the screen's clock from this process's; `rounds` exchanges, by default enough for a thorough measurement. */
  measureClock(rounds?: number): Promise<ClockOffset>;
  state(): Promise<DocumentState>;
  leave(): Promise<void>;

  // Optional abilities. A missing one is recorded as not known.

  /**
   * Longest move and selection of an edit; absent: any. The driver still performs longer ones, since a few more units may be
   * needed to step over a sigil.
   */
  readonly longestMove?: number;
  /** Sends on what the screen still holds back for its next report; absent: it holds nothing back. */
  flush?(): Promise<void>;
  sample?(): Promise<EditorDriverSample>;
  /** This user's own edits and their fate, as the editor saw them. */
  ownEdits?(): Promise<EditAccount>;
  /** This user's sigils that were whole in the editor with their last key, and what became of each. */
  ownSigils?(): Promise<OwnSigil[]>;
  /** The names at the others' cursors that the screen shows; null if this user takes no part in presence. */
  cursorNames?(): Promise<string[] | null>;
  /** The document as others would get it from this user, see `copiesOf`. */
  copies?(options: CopiesOptions): Promise<Copies>;
  contents?(): Promise<EditorDriverContents>;
  /** Messages that the framework's client sent, if the assignment asked to keep them. */
  sent?(): Promise<Sent[]>;
  /** The framework's own serialised state. */
  savedStateBase64?(): Promise<string>;
  /** JavaScript objects that the page holds after a garbage collection. */
  heapBytes?(): Promise<number>;
  /** Size of the page's WebAssembly memories. */
  wasmBytes?(): Promise<number>;
  /** Some of the last messages that went between the page and the server. */
  messages?(): Promise<MessageSample>;
  /** Tells the editor's page whether its machine is on the network, and does nothing else about it. */
  sayOnline?(isOnline: boolean): Promise<void>;
  /** A CPU profile of the editor's thread as JSON, in the format that Chrome DevTools opens. */
  profile?(durationMs: number): Promise<string>;
}

/** The framework's client did not join the document. */
export class ClientFailure extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'ClientFailure';
  }
}

/** Reports of a driver, as things happen; instants are on the clock of the screen, see `measureClock`. */
export interface EditorDriverEvents {
  onSigil(sigil: string, shownMs: number): void;
  onLongTask(startMs: number, durationMs: number): void;
  /** The user cannot go on: its page crashed, its Chrome is gone; or, by the framework, its client gave its server up. */
  onLost(reason: string, by?: 'framework'): void;
  /** The connection to the server broke. */
  onBroken(atMs: number): void;
  /** The library brought it back. */
  onReconnected(atMs: number): void;
  /** Others' change moved the cursor by so much more than it had to. */
  onCursorMoved(atMs: number, movedBy: number): void;
  /** How long the keys of a stretch of time took to show, as the browser says. */
  onKeys(timings: KeyTimings): void;
  /** Something went wrong in the page, and nothing there caught it. */
  onPageError(atMs: number, message: string): void;
}

export interface EditorDriverSample {
  atMs: number;
  characters: number;
  /** Messages are null if only bytes are counted. */
  traffic: { sentBytes: number; receivedBytes: number; sentMessages: number | null; receivedMessages: number | null };
}

/**
 * The document as canonical JSON: as the model has to show it, and as the editor holds it. For another's service, the model's
 * is the text that the screen shows. Null if it cannot be had.
 */
export interface EditorDriverContents {
  model: string | null;
  editor: string | null;
}
