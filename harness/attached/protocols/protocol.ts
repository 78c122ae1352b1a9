/** A protocol of collaboration servers: as far as to recognise one, to see that a document is empty, and to read there. */
import type { Frame } from '../../../infra/virtual/network.ts';

export interface Protocol {
  name: string;
  /** For people: the family and who speaks it. */
  title: string;
  /** Frames that ask and write nothing; none: the server speaks first. */
  ask(options: { document: string; token: string | null }): Frame[];
  /** Null: a server of this protocol does not say this. */
  read(frame: Frame, document: string): Told | null;
  /** True if servers of it may end at a frame that is not theirs: seen of automerge-repo-sync-server 0.2.8. */
  isFragile?: boolean;
  /** True if `read` never says whether a document is empty. */
  isSilent?: boolean;
  /** How clients read; absent: it is not known. */
  reading?: Reading;
}

/** The news in a server's frame. */
export interface Told {
  /** Null: this protocol does not say, or not yet. */
  access: 'read-write' | 'read-only' | null;
  /** Why it gives the document to nobody with this token; null: it does, or does not say. */
  denied: string | null;
  /** Null: not told yet. */
  isEmpty: boolean | null;
}

/** Clients that only read, as the libraries' own speak: they open a document, and may come back with it. */
export interface Reading {
  /** @param options.presence true: it wants to hear of others' cursors, too */
  reader(options: { document: string; token: string | null; presence: boolean }): Reader;
  /** Its words now and then, where a server drops a client that says nothing; absent: none does. */
  alive?(document: string): Frame;
  /** True: the server believes the version that a client says it holds. One that has forgotten the document does not show it. */
  isBelieved?: true;
}

export interface Reader {
  /** Its words when a connection is open. */
  opening(): Frame[];
  /** Takes in a frame of the server's. */
  hear(frame: Frame): Heard;
}

export interface Heard {
  answers: Frame[];
  /** True: it has the document now, with all that the server had, and has answered what the server asked. */
  isIn: boolean;
  /** Why the server does not give it out. */
  denied?: string;
}

export const NOTHING: Told = { access: null, denied: null, isEmpty: null };
export const UNHEARD: Heard = { answers: [], isIn: false };

/** Reads frames of bytes. Null of text, and where a frame is cut off or of another form. */
export function ofBytes<Rest extends unknown[], T>(
  read: (frame: Uint8Array, ...rest: Rest) => T | null,
): (frame: Frame, ...rest: Rest) => T | null {
  return (frame, ...rest) => (typeof frame === 'string' ? null : attempt(() => read(frame, ...rest)));
}

/** Null where the frame is cut off or of another form. */
export function attempt<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
