/** Calls of the scenario to the processes of a trial; see infra/process/calls.ts. */
import type { HeldDocument, JoinMarks, JoinOrder } from '../../editors/base/page/newcomer.ts';
import type { JoinCell } from './cells.ts';

/** One worker process of the server. */
export interface ServerCalls {
  /** Starts it on a free port of this machine, in that process; only addresses with the token are let in. */
  start(options: Pick<JoinCell, 'framework' | 'way'> & { token: string }): Promise<{ port: number; pid: number }>;
  /** CPU time of the server since it began, ms. */
  cpuMs(): Promise<number>;
}

/** The address of a document. */
export interface Place {
  url: string;
  documentId: string;
}

/** Users without a browser, who write some of the documents. A document goes by its number in the trial. */
export interface WriterCalls {
  start(options: {
    framework: string;
    /** As `writeEdits` makes it. */
    edits: string;
    /** Of each document; with none there is still one user, who has written it. */
    typists: number;
    keysPerSecond: number;
    documents: Record<number, Place>;
  }): Promise<void>;
  /**
   * Each document's first user makes all edits, and a second one proves that the server has them.
   *
   * @throws SubjectFailure `out-of-time` if that takes longer than `limitMs`
   */
  fill(limitMs: number): Promise<void>;
  /** All type from now on. */
  type(): Promise<void>;
  /** How many keys were due since then, and how many were typed. */
  typed(): Promise<{ due: number; typed: number }>;
  /** Of the first user's editor. */
  lengthOf(document: number): Promise<number>;
  /** Its first user types this at once. */
  insert(document: number, text: string): Promise<void>;
  /** Nobody types into it until `resume`. */
  pause(document: number): Promise<void>;
  resume(document: number): Promise<void>;
  held(document: number): Promise<HeldDocument>;
}

/** Newcomers in Chrome, one after another. */
export interface NewcomerCalls {
  /** @returns Chrome's version */
  start(options: { framework: string; pageFolder: string }): Promise<string>;
  /** Opens a page in which all is loaded, and another document was joined and left. @throws SubjectFailure if that fails */
  open(rehearsal: Place): Promise<void>;
  /** Resolves once the client has joined. @throws SubjectFailure if it does not */
  join(order: JoinOrder): Promise<void>;
  /** Resolves once what another typed meanwhile is shown. @throws SubjectFailure if the client gives up */
  untilCaughtUp(): Promise<JoinMarks>;
  /** The marks so far; null if the page does not answer. */
  marks(): Promise<JoinMarks | null>;
  held(): Promise<HeldDocument>;
  /** Closes the page, and tells of the errors in it. */
  close(): Promise<string[]>;
}
