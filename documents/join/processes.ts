/**
 * The processes of one trial, and the calls to each: the server's workers, the users who write, and the newcomers' Chrome. With
 * one that ends, all do.
 */
import { availableParallelism } from 'node:os';
import { processTree } from '../../harness/probes/process-tree.ts';
import { createToken } from '../../infra/channel/token.ts';
import type { CalledProcess } from '../../infra/process/calls.ts';
import { SubjectFailure } from '../scenario.ts';
import { TrialProcesses } from '../trial-processes.ts';
import type { JoinCell } from './cells.ts';
import type { HeldDocument } from './held-document.ts';
import type { JoinMarks, JoinOrder } from './page/newcomer.ts';

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
  /** So many further users open its first document, and do nothing. */
  open(count: number): Promise<void>;
  /** Everyone leaves. */
  leave(): Promise<void>;
}

/** Newcomers in Chrome, one after another. */
export interface NewcomerCalls {
  /** @returns Chrome's version */
  start(options: { framework: string; pageFolder: string; script: string }): Promise<string>;
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

/** How long processes may take to start; a loaded machine needs seconds for a Chrome. */
const START_LIMIT_MS = 60_000;
/** Joined and left by each newcomer before what is measured. */
const REHEARSAL = 'rehearsal';

export interface ProcessesOptions extends JoinCell {
  typists: number;
  keysPerSecond: number;
  editsFile: string;
  pageFolder: string;
  /** The newcomer's, for the page. */
  script: string;
  /** Files that the processes leave behind, such as Chrome's profiles, lie in it. */
  folder: string;
  signal: AbortSignal;
}

/** Of a trial's server. */
interface Worker {
  process: CalledProcess<ServerCalls>;
  /** The process that the server is in: that one, or a child of it. */
  pid: number;
  url: string;
}

export class JoinProcesses extends TrialProcesses {
  readonly #options: ProcessesOptions;
  #workers: Worker[] = [];
  #writers: CalledProcess<WriterCalls>[] = [];
  #newcomer: CalledProcess<NewcomerCalls> | null = null;

  constructor(options: ProcessesOptions) {
    super(options);
    this.#options = options;
  }

  get newcomer(): CalledProcess<NewcomerCalls> {
    return this.#newcomer!;
  }

  get writers(): readonly CalledProcess<WriterCalls>[] {
    return this.#writers;
  }

  /** Of the server's workers, with all that they have started. */
  get serverPids(): number[] {
    return this.#workers.flatMap(({ pid }) => processTree(pid));
  }

  /** CPU time of each of the server's workers so far, ms. */
  serverCpuMs(): Promise<number[]> {
    return Promise.all(this.#workers.map(({ process }) => process.call('cpuMs')));
  }

  /** Starts all processes; nothing is filled yet. @throws Error if one does not start */
  async start(): Promise<void> {
    const { framework, way, processes, documents } = this.#options;
    const token = createToken();
    this.#workers = await Promise.all(
      Array.from({ length: processes }, async () => {
        const process = this.launch<ServerCalls>(
          'join/server-main.ts',
          (how) => new SubjectFailure('server-lost', `its server ${how}`),
        );
        const { port, pid } = await this.#within(process.call('start', { framework, way, token }));
        return { process, pid, url: `ws://127.0.0.1:${port}/${token}` };
      }),
    );
    const count = Math.min(documents, availableParallelism());
    await Promise.all([
      this.#startNewcomer(),
      ...Array.from({ length: count }, (_, index) => this.#startWriters(index, count)),
    ]);
  }

  /** Documents are spread over the server's workers by their number. */
  placeOf(document: number): Place {
    const { url } = this.#workers[document % this.#workers.length]!;
    return { url, documentId: `document-${document}` };
  }

  rehearsalOf(document: number): Place {
    return { ...this.placeOf(document), documentId: REHEARSAL };
  }

  /** The process of the users who write a document. */
  writersOf(document: number): CalledProcess<WriterCalls> {
    return this.#writers[document % this.#writers.length]!;
  }

  async #startNewcomer(): Promise<void> {
    const { framework, pageFolder, script } = this.#options;
    this.#newcomer = this.launch<NewcomerCalls>(
      'join/newcomer-main.ts',
      (how) => new Error(`the process of newcomers ${how}`),
    );
    await this.#within(this.#newcomer.call('start', { framework, pageFolder, script }));
  }

  async #startWriters(index: number, count: number): Promise<void> {
    const { framework, editsFile, typists, keysPerSecond, documents: all } = this.#options;
    const process = this.launch<WriterCalls>(
      'join/writers-main.ts',
      (how) => new Error(`the process of users who write ${how}`),
    );
    this.#writers[index] = process;
    const documents: Record<number, Place> = {};
    for (let number = index; number < all; number += count) documents[number] = this.placeOf(number);
    await this.#within(process.call('start', { framework, edits: editsFile, typists, keysPerSecond, documents }));
  }

  #within<T>(starting: Promise<T>): Promise<T> {
    const message = `a process had not started after ${START_LIMIT_MS / 1000} s`;
    return withLimit(starting, START_LIMIT_MS, () => new Error(message));
  }
}

/** How long filling documents, and joining one before what is measured, may take each. */
export const PREPARE_LIMIT_MS = 300_000;

/** Also ends the wait for a process that is too busy to keep to a limit. @throws SubjectFailure if it takes longer */
export function prepared<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = `its document was not filled, or its users had not joined, after ${limitMs / 1000} s`;
  return withLimit(work, limitMs, () => new SubjectFailure('out-of-time', late));
}

/** @throws the error of `late`, if the work takes longer */
export async function withLimit<T>(work: Promise<T>, limitMs: number, late: () => Error | Promise<Error>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(async () => reject(await late()), limitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
