/** The processes of one trial: the server's workers, the users who write, and the newcomers' Chrome. With one that ends, all do. */
import { availableParallelism } from 'node:os';
import { processTree } from '../../harness/probes/process-tree.ts';
import { createToken } from '../../infra/channel/token.ts';
import type { CalledProcess } from '../../infra/process/calls.ts';
import { SubjectFailure } from '../scenario.ts';
import { TrialProcesses } from '../trial-processes.ts';
import type { JoinCell } from './cells.ts';
import type { Place } from './held-document.ts';
import type { NewcomerCalls } from './newcomer-main.ts';
import type { ServerCalls } from './server-main.ts';
import type { WriterCalls } from './writers-main.ts';

/** How long processes may take to start; a loaded machine needs seconds for a Chrome. */
const START_LIMIT_MS = 60_000;
/** Joined and left by each newcomer before what is measured. */
const REHEARSAL = 'rehearsal';

export interface ProcessesOptions extends JoinCell {
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
    const { framework, editsFile, documents: all } = this.#options;
    const process = this.launch<WriterCalls>(
      'join/writers-main.ts',
      (how) => new Error(`the process of users who write ${how}`),
    );
    this.#writers[index] = process;
    const documents: Record<number, Place> = {};
    for (let number = index; number < all; number += count) documents[number] = this.placeOf(number);
    await this.#within(process.call('start', { framework, edits: editsFile, documents }));
  }

  #within<T>(starting: Promise<T>): Promise<T> {
    const message = `a process had not started after ${START_LIMIT_MS / 1000} s`;
    return withLimit(starting, START_LIMIT_MS, () => new Error(message));
  }
}

/** How long filling documents, and joining one before what is measured, may take each. */
export const PREPARE_LIMIT_MS = 300_000;

/** Also ends the wait for a process that is too busy to keep to a limit. @throws SubjectFailure if it takes longer */
export function prepared<T>(work: Promise<T>, limitMs = PREPARE_LIMIT_MS): Promise<T> {
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
