/**
 * EditorDriver: what carries out one user's actions at an editor. Each kind is a folder here whose `drivers.ts` exports
 * `openDrivers`; a mode's row names it, unless the framework has one of its own.
 */

import type { TurnedAwayAs } from '../../editors/base/framework.ts';
import type { EditAccount, TextSample } from '../../editors/base/instrument/ledger.ts';
import type { OwnSigil } from '../../editors/base/instrument/own-sigils.ts';
import type { KeyTimings } from '../../editors/base/instrument/reporter.ts';
import type { MessageSample } from '../../editors/base/instrument/traffic.ts';
import type { LateOptions } from '../../editors/base/page/session.ts';
import type { SigilChange } from '../../editors/base/sigils.ts';
import type { Framework } from '../../frameworks/framework.ts';
import { MODES, type ModeRow } from '../../frameworks/modes.ts';
import type { ClockOffset } from '../../infra/clock.ts';
import type { Assignment, DocumentState, Sent } from '../trial/protocol.ts';
import type { Action } from './typing/typist.ts';

export interface EditorDriver {
  /** Opens the editor and joins the document. */
  join(assignment: Assignment & { begins?: boolean; token?: string }, events: EditorDriverEvents): Promise<void>;
  /** Resolves when the editor acknowledged the action: its handlers ran. False: the sigil to change is not whole any more. */
  perform(action: Action): Promise<unknown>;
  state(): Promise<DocumentState>;
  leave(): Promise<void>;

  /**
   * Offset of the screen's clock from this process's; `rounds` exchanges, by default enough for a thorough measurement. Absent: the
   * two are one clock.
   */
  measureClock?(rounds?: number): Promise<ClockOffset>;

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
  ownEdits?(): Promise<EditAccount & { focusLosses?: number }>;
  /** How much of the document was this user's, and how much others', second by second, on the screen's clock. */
  textSamples?(): Promise<TextSample[]>;
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
  readonly by: 'framework' | 'foreign';
  /** @param by `foreign`: its server is somebody else's, which may have its reasons */
  constructor(cause: Error, by: 'framework' | 'foreign' = 'framework') {
    super(cause.message, { cause });
    this.name = 'ClientFailure';
    this.by = by;
  }
}

/** Reports of a driver, as things happen; instants are on the clock of the screen, see `measureClock`. */
export interface EditorDriverEvents {
  onSigil(sigil: string, shownMs: number): void;
  onSigilChanged(sigil: string, change: SigilChange, shownMs: number): void;
  onLongTask(startMs: number, durationMs: number): void;
  /** The user cannot go on: its page crashed, its Chrome is gone; by the framework, its client gave its server up, or was turned away. */
  onLost(reason: string, by?: 'framework', how?: TurnedAwayAs): void;
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

interface EditorDriverSample {
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

/** Resources that the drivers in one process share, such as a Chrome. */
export interface Drivers {
  /** The driver of one more user. */
  create(): EditorDriver;
  /** The version of the Chrome in which the editors run; null: there is none. */
  readonly chrome: string | null;
  /** The process in which the editors run, with all its descendants: Chrome's, or this one. */
  readonly editorsPid: number;
  /** Ends what they share, once every user has left. */
  close(): Promise<void>;
}

export interface DriversOptions {
  framework: Framework;
  /** The coordinator's control address. */
  controlUrl: string;
  /** Open real windows to watch. */
  show: boolean;
  /** The users are a live crowd, for which the library may be patched. */
  isCrowd: boolean;
}

/** @throws Error with a sentence if they do not start */
type OpenDrivers = (options: DriversOptions) => Promise<Drivers>;

/**
 * Finds what opens the drivers for a framework's users in a mode.
 *
 * @throws Error if there is no such mode
 */
export async function findDrivers({ framework, mode }: { framework: Framework; mode: string }): Promise<OpenDrivers> {
  const row = Object.entries<ModeRow>(MODES).find(([name]) => name === mode)?.[1];
  if (row === undefined) throw new Error(`there is no mode "${mode}"`);
  const kind = framework.about.hosted?.driver ?? row.driver;
  const { openDrivers }: { openDrivers: OpenDrivers } = await import(`./${kind}/drivers.ts`);
  return openDrivers;
}

/** Limit for joining at the end of a trial; less than the trial's wait for all records. */
const NEWCOMER_LIMIT_MS = 30_000;

interface CopiesOptions {
  /** True if a newcomer is to join at this user's side. */
  withNewcomer: boolean;
  /** False if what this user types reaches nobody any more, so that the newcomer leaves at once. */
  newcomerStays?: boolean;
  newcomerLimitMs?: number;
}

/** Digests, to compare with that of the user's own model. */
export interface Copies {
  /** Null if the framework cannot load one. */
  savedDigest: string | null;
  /** Null if nobody joined. */
  lateDigest: string | null;
  /** Why nobody did although it was tried. */
  lateProblem: string | null;
}

/** The source of copies: a session, or one in a page. */
interface CopySource {
  savedDigest(): Promise<string | null>;
  lateDigest(options: LateOptions): Promise<string>;
}

/** @throws Error if the saved state cannot be loaded */
export async function copiesOf(source: CopySource, options: CopiesOptions): Promise<Copies> {
  const savedDigest = await source.savedDigest().catch((error: Error) => {
    throw new Error(`its saved state does not load: ${sentenceOf(error)}`);
  });
  if (!options.withNewcomer) return { savedDigest, lateDigest: null, lateProblem: null };
  const { newcomerStays = true, newcomerLimitMs: limitMs = NEWCOMER_LIMIT_MS } = options;
  const tooLate = Promise.withResolvers<never>();
  const limit = setTimeout(() => tooLate.reject(new Error(`it took more than ${limitMs / 1000} s`)), limitMs);
  try {
    const lateDigest = await Promise.race([source.lateDigest({ stays: newcomerStays }), tooLate.promise]);
    return { savedDigest, lateDigest, lateProblem: null };
  } catch (error) {
    return { savedDigest, lateDigest: null, lateProblem: sentenceOf(error as Error) };
  } finally {
    clearTimeout(limit);
  }
}

/** An error from a page comes with its name and its stack. */
function sentenceOf({ message }: Error): string {
  return message.split('\n')[0]!.replace(/^Error: /, '');
}
