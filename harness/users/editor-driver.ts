/** EditorDriver: what carries out a user's actions at an editor. Chrome's through key events and clicks; headless ones by calls. */
import type { ClockOffset } from '../clock.ts';
import type { Assignment, DocumentState } from '../trial/protocol.ts';
import type { Action } from './typing/typist.ts';

/** What driver tell as it happens; instants are on the clock of the screen, see `measureClock`. */
export interface EditorDriverEvents {
  onSigil(sigil: string, shownMs: number): void;
  onLongTask(startMs: number, durationMs: number): void;
  /** The user cannot go on: its page crashed, its Chrome is gone, its connection to the server is lost. */
  onLost(reason: string): void;
  /** The connection to the server broke, and the library brought it back. */
  onReconnected(atMs: number): void;
}

export interface EditorDriverSample {
  atMs: number;
  characters: number;
  traffic: { sentBytes: number; receivedBytes: number; sentMessages: number; receivedMessages: number };
}

/**
 * The document as canonical JSON: what the model has to show (of another's service: the text that the screen shows), and
 * what the editor holds. Null where it cannot be had.
 */
export interface EditorDriverContents {
  model: string | null;
  editor: string | null;
}

export interface EditorDriver {
  /**
   * How far edits may move the cursor, and how much they may select; absent: any distance. Such driver still go as far as
   * they are told, since a few units more may be needed to step over a sigil.
   */
  readonly longestMove?: number;
  /** Opens the editor and joins the document. */
  join(assignment: Assignment, events: EditorDriverEvents): Promise<void>;
  /** Resolves when the action was acknowledged by the browser: its handlers ran. */
  perform(action: Action): Promise<void>;
  /** How the screen's clock stands against this process's, by so many exchanges; unless given, enough for a thorough measurement. */
  measureClock(rounds?: number): Promise<ClockOffset>;
  /** Null where neither can be measured. */
  sample(): Promise<EditorDriverSample | null>;
  state(): Promise<DocumentState>;
  ownEdits(): Promise<{ insertedCharacters: number | null; deletedCharacters: number | null }>;
  contents(): Promise<EditorDriverContents>;
  savedStateBase64(): Promise<string | null>;
  /** Sends on what the screen still holds back for its next report. */
  flush(): Promise<void>;
  /** A CPU profile of the editor's thread as JSON, in the format that Chrome DevTools opens. */
  profile(durationMs: number): Promise<string>;
  leave(): Promise<void>;
}
