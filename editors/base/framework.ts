/** The client half of a framework. Runs in Chrome and in Node; holds no timing, validation or time-outs of its own. */
import type Delta from 'quill-delta';
import type { Editor } from './editor.ts';
import type { KeptStore, StoreName } from './stores.ts';

/** How a client gathers what it sends and receives. 0 means: at once, message by message. */
export interface Batching {
  receiveMs: number;
  /** When the ticks are at which received batches end, see `createBatcher`; absent: a batch begins with its first message. */
  receivePhaseMs?: number;
  sendMs: number;
  /** Absent but for users who are load, see `takesInBeforeKeys`: the client adds what the user's driver calls before each key. */
  beforeKeys?: Set<() => void>;
}

/** A user as the others see it, by its cursor. */
export interface Presence {
  name: string;
  /** As CSS has it. */
  colour: string;
}

/** By a server: it refuses the user, or an edit: of one who may only read, of one who sends too many, or one that is too large. */
export type TurnedAwayAs = 'refused' | 'read-only' | 'rate limit' | 'too large';

export interface JoinOptions {
  /** WebSocket address of the framework's server, such as `ws://127.0.0.1:4021`. */
  url: string;
  documentId: string;
  editor: Editor;
  batching: Batching;
  /**
   * This user's name and colour. Its cursor is shown to the others, and theirs in the editor's module `cursors`. Absent:
   * cursors are neither sent nor shown.
   */
  presence?: Presence;
  /** True: somebody else runs the server, which may never have heard of the document. Whoever joins with others begins it. */
  begins?: boolean;
  /** The state of an earlier visit, as `Replica.save` gave it: a client that `resumes` begins with it. */
  saved?: Uint8Array;
  /** Admits this user to a server that somebody else runs, where the library's protocol carries it. Absent: none. */
  token?: string;
  /**
   * Called once if the connection is gone for good: the library does not bring it back by itself, or did not; or the server
   * turned this user away over a connection that stands.
   */
  onLost: (reason: string, how?: TurnedAwayAs) => void;
  /** Called each time that the library brought a broken connection back. */
  onReconnected: () => void;
  /** Called each time that a connection broke which the library may bring back. */
  onBroken?: () => void;
  /**
   * How long a broken connection may take to come back before the client gives it up; null: as long as it takes. Absent:
   * `RECONNECT_LIMIT_MS`.
   */
  reconnectLimitMs?: number | null;
}

/** `editors/<name>/client.ts` exports one as `client`. */
export interface FrameworkClient {
  /** Resolves once the document is loaded, bound to the editor, and follows the server. */
  join(options: JoinOptions): Promise<Replica>;
  /** The document that a saved state holds. Without it, whether saved states load is not checked. */
  load?(saved: Uint8Array): Delta | Promise<Delta>;
  /** True if it can join with a saved state; absent: it takes the document of the server alone. */
  resumes?: true;
  /**
   * The content of a binary message between client and server, by the library's own decoder, as a value or a promise of one: for
   * `explore --trace`. Without it, bytes are shown.
   */
  decode?(message: Uint8Array): unknown;
  /**
   * Makes the library quicker for a process whose users are load, simulated or live, and changes nothing of what it does.
   * Never called where a client is measured. Its parts stand in the framework's `crowd.patched`.
   */
  quicken?(): void;
}

/** One user's copy of the document. */
export interface Replica {
  /** Contents of the model; must equal those that the editor shows. */
  contents(): Delta;
  /** The framework's own serialised state. */
  save(): Uint8Array;
  /** True if the library says that the server has all edits of this user; absent: its protocol does not tell. */
  isAcknowledged?(): boolean;
  leave(): Promise<void>;
}

/** `editors/<name>/about.ts` exports one as `about`: what the framework is and can do. Its version is its package's. */
export interface FrameworkAbout {
  /** The npm package whose installed version is the framework's version; null for the project's own `loopback`. */
  package: string | null;
  /**
   * The other packages of `package.json` that its two halves take, and those that these import without naming them. What every
   * run needs, the `dependencies` there, need not be said; all others are installed when the framework is named first.
   */
  besides?: readonly string[];
  algorithm: string;
  licence: string;
  server: string;
  /**
   * The server's share of the work. `library`: it only relays; the client half is measured, and may be compared with any
   * other such framework. `deployed`: it is the library's own, and does work that a relay leaves to clients.
   */
  tier: 'library' | 'deployed';
  /** Why sender batching does not apply to it: it gathers by itself. Absent: it applies. */
  withoutSendBatching?: string;
  /**
   * npm packages that it is made of and that are too large for every checkout: exact versions by name, each that its code
   * imports. They are installed where the framework is named first, into a folder of their own; see `frameworks/packages/`.
   */
  onDemand?: { packages: Readonly<Record<string, string>> };
  /** In charts, on a light ground and on a dark one; frameworks of one family share a hue and differ in lightness. */
  colour: { light: string; dark: string };
  /**
   * The modes that its users cannot edit in, and why, in a sentence; absent if it has all. A hosted one need not say
   * that it cannot be had without rendering.
   */
  lacksModes?: Readonly<Record<string, string>>;
  /** True if concurrent edits are not merged: only user 0 may type. */
  oneWriter?: boolean;
  /**
   * True if nothing is merged at all: its cells are editor, Chrome, relay and harness alone, and a report tells what other
   * frameworks cost on top of it.
   */
  baseline?: boolean;
  /** The crowd that may stand in for users without a screen, see `crowdOf`; absent: a live crowd. */
  crowd?: Crowd;
  /** The means by which users see one another's cursors, see `presenceOf`; absent: it has none. */
  presence?: PresenceMeans;
  /**
   * True for what is made to calibrate the harness: a document's name tells it which defects to have. It is in no list, and
   * an experiment that a person writes cannot name it.
   */
  instrument?: boolean;
  /** Why its client needs workers. Absent: its page refuses them, as what they send is not counted. */
  workers?: string;
  /** The stores that its server can keep documents in, beside memory; absent: none. */
  stores?: Readonly<Partial<Record<KeptStore, StoreMeans>>>;
  /** How several of its servers share one document; absent: by nothing, so that each has one of its own. */
  severalServers?: SharingMeans;
  /**
   * Packages that are published with `package`, each time in the same version: `NAME@VERSION` has them in that version, too.
   */
  releasedTogether?: readonly string[];
  /** Needs that npm does not bring; absent: none. The framework runs only if they are there, or can be installed. */
  needs?: Needs;
  /** How its client reaches a server that somebody else runs; absent: it cannot. */
  attaches?: Attaching;
  /** True if nothing works without the internet: tests and `check` leave it out. */
  needsInternet?: boolean;
  /** Where page and server are another's: there is neither a client half nor a server half here, only documents by link. */
  hosted?: Hosting;
  /** Failures of the library itself, each with a minimal reproduction in the framework's README. */
  knownIssues?: readonly KnownIssue[];
}

/** The server half of a framework whose library has none: the project's relay. */
export const RELAYED = {
  server: 'a relay of the project itself, which hands a newcomer a saved state',
  tier: 'library',
} as const satisfies Partial<FrameworkAbout>;

/** How a server keeps documents in a store. */
export interface StoreMeans {
  /** The library's adapter, or the hooks of the server that are bound here: `extension-sqlite of Hocuspocus`. */
  by: string;
  /** The part that is written, and when, as the adapter's defaults have it: `the whole state, 2 s after an edit, 10 s at most`. */
  writes: string;
  /** npm packages of `package.json` beside the framework's, installed where the store is named first; absent: none. */
  packages?: readonly string[];
  /** In simulated worlds a stand-in in memory may take its place (`servers/server.ts`), with these packages; absent: none may. */
  inWorlds?: readonly string[];
  /** The store has an edit at most so many ms after the server. Worlds hold it to that; absent: to what most adapters take. */
  writtenMs?: number;
}

/** The library's own way for several servers. */
export interface SharingMeans {
  /** In a sentence's end: `extension-redis of Hocuspocus: each tells the others by Redis that it changed`. */
  by: string;
  /** True: the servers need a Redis, which the trial starts; absent: they do not. */
  needsRedis?: true;
  /** They must keep documents in this store, which they share; absent: in any, or in memory. */
  needsStore?: KeptStore;
  packages?: readonly string[];
}

export interface Needs {
  /** The oldest Python that its server runs with, such as `3.10`; its packages are those of `servers/<name>/requirements.txt`. */
  python: string;
}

/**
 * Stand-ins for the users beside the probes. `recorded`: their messages were computed beforehand and are played; right only
 * if nothing that a client sends depends on the server's answers. `live`: users in Node.
 */
export interface Crowd {
  kind: 'recorded' | 'live';
  /** Why, in a sentence. */
  why: string;
  /**
   * True if what a client sends of a key, at the place of its last one, does not tell what it has received by then, only
   * beside what it stands. Then a simulated user is handed what arrived before it goes to another place, and else the more
   * seldom the farther the others are, not before each key.
   */
  namesNeighboursOnly?: boolean;
  /**
   * True if a message does not name those that it rests on, so that all must get it after them. A live user's does come
   * after, since its author has got them from the server; a played user sends on although the server is late.
   */
  restsOnOrder?: boolean;
  /** Parts of the library that the client's `quicken` replaces for the crowd: each trial with one tells of them. */
  patched?: string;
  /** The most simulated users who share one WebAssembly memory of the library while they are recorded; absent: all. */
  usersPerMemory?: number;
  /**
   * Of a live crowd, true if a client answers nothing: its users, whose screens nobody sees, then take in what came before they
   * type, as far as their receive batches would have brought it by then, and not batch by batch.
   */
  takesInBeforeKeys?: boolean;
}

/** A live user needs no promise of the framework, so it is never wrong, only dearer. */
const LIVE_UNLESS_SAID: Crowd = {
  kind: 'live',
  why: 'It does not say that what its clients send is independent of what the server answers.',
};

/** Which crowd a framework has. Where another hosts it, there is none: nobody types there without a page. */
export function crowdOf({ crowd, hosted }: Pick<FrameworkAbout, 'crowd' | 'hosted'>): Crowd | null {
  return hosted === undefined ? (crowd ?? LIVE_UNLESS_SAID) : null;
}

/** By what means of the library users see one another's cursors; or why they cannot. In a sentence each. */
export type PresenceMeans = { by: string; lacking?: undefined } | { lacking: string; by?: undefined };

export function presenceOf({ presence }: Pick<FrameworkAbout, 'presence'>): PresenceMeans {
  return presence ?? { lacking: 'It says nothing of presence.' };
}

/** How several servers with this store share each document; null: each has one of its own. */
export function sharingOf(
  { severalServers }: Pick<FrameworkAbout, 'severalServers'>,
  store: StoreName,
): SharingMeans | null {
  if (severalServers === undefined) return null;
  const { needsStore } = severalServers;
  return needsStore === undefined || needsStore === store ? severalServers : null;
}

/** A library's own protocol, as a server of anybody's speaks it. */
export interface Attaching {
  /** Its name in `harness/attached/protocols.ts`. */
  protocol: string;
  /** Where the protocol names the document: in the path behind the server's address, or in its messages. */
  documentIn: 'path' | 'messages';
  /** True if it is known what a client that only reads says to join; `harness/attached/protocols/` has the words. */
  hasReaders?: true;
}

export interface Hosting {
  /** The kind of editor driver that types there. It may put into the page the script built from the folder's `page.ts`. */
  driver: string;
  /** The form of a link to a document, for messages. */
  linkForm: string;
  isLink(text: string): boolean;
  /** Users come no sooner after one another. */
  joinPeriodMs: number;
  /** Longest time for reading a screen from top to bottom. */
  readingLimitMs: number;
  /** Largest number of users who can edit one document at a time. */
  mostUsers: number;
}

export interface KnownIssue {
  /** The failure as a user meets it, in one sentence. */
  summary: string;
  /** The properties of `scriptorium check` that may fail because of it. */
  properties: readonly string[];
  /** A part of the message by which it shows; absent: those properties fail in no other way. */
  says?: string;
  /**
   * The invariants of worlds that may break because of it, and the kinds of faults or edits without all of which they hold: see
   * `explore`. `hasStore`: only with a store, or only without; `areSeveral`: only several servers, or only one. `waitsForStore`:
   * they hold, too, if the store answers at once. `says`: a part of the sentence by which it shows.
   */
  worlds?: {
    invariants: readonly string[];
    after: readonly string[];
    hasStore?: boolean;
    areSeveral?: boolean;
    waitsForStore?: true;
    says?: string;
  };
}

/**
 * Loads modules of a library with WebAssembly, which the library loads when its module is first imported.
 *
 * @throws Error with the framework and a remedy, if the library is not there or its WebAssembly does not load
 */
export async function withWasm<T>(framework: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = 'a package or its WebAssembly file (3.6 MB) is missing, or this engine refuses WebAssembly';
    const remedy = 'run npm ci, and let a proxy or a content security policy on the way pass the file';
    throw new Error(`${framework} does not load: ${missing}; ${remedy} (${cause})`, { cause });
  }
}
