/**
 * A recording: what each user of a crowd sends in a trial, computed beforehand on a virtual clock. It is kept in a folder of
 * its own and played to a real server later.
 */
import type { EditAccount } from '../../editors/base/instrument/ledger.ts';
import type { OwnSigil } from '../../editors/base/instrument/own-sigils.ts';

/** One WebSocket message: text or binary, as the client sent it. */
export type Frame = string | Uint8Array;

export interface RecordedUser {
  user: number;
  /** Path and query behind the server's address, as the framework's client asked for it: `/crowd?client=…`. */
  path: string;
  /** Frames with which the client joins, in order. */
  opening: readonly Frame[];
  /** Frames that it sends from the start of typing on, in order; `dueMs` counts from that start. */
  frames: readonly { dueMs: number; frame: Frame }[];
  /** Its sigils: when the last key was typed, ms after the start of typing, as in a live user's `sigil-sent`. */
  sigils: readonly { sigil: string; dueMs: number; sentMs: number }[];
  /** The fate of its sigils under the crowd's edits, as its editor saw it; the editor knows nothing of the probes' edits. */
  ownSigils: readonly OwnSigil[];
  /** The edits that its editor counts as its own, and their fate in the recording's document. */
  account: EditAccount;
}

/** All that a recording depends on: another in any of these is another recording. */
export interface RecordingKey {
  framework: string;
  /** Digest of the packages' versions and of the sources that take part. */
  sources: string;
  /** Numbers of the crowd's users: `first` and up, of `users` in all. */
  first: number;
  users: number;
  seed: number;
  /** The trace's digest, or what else the users type. */
  trace: string;
  /** The digest of what the document begins with. */
  start: string;
  typing: unknown;
  batching: unknown;
  network: unknown;
  /** How long the users type: warm-up, measurement and profile. */
  typingMs: number;
  documentId: string;
}

export interface Recording {
  key: RecordingKey;
  users: readonly RecordedUser[];
  /** The document that all of them agree on once typing is over: its digest, as in `DocumentState`, and its length. */
  modelDigest?: string;
  characters?: number;
}
