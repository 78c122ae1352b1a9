/** The processes of one trial: the server's workers, the users who write, and the newcomers' Chrome. With one that ends, all do. */
import { availableParallelism } from 'node:os';
import { processTree } from '../../harness/probes/process-tree.ts';
import { createToken } from '../../infra/channel/token.ts';
import type { TrialSurroundings } from '../live-server.ts';
import { SubjectFailure } from '../scenario.ts';
import { type TrialProcesses, withLimit } from '../trial-processes.ts';
import type { JoinCell } from './cells.ts';
import type { Place } from './held-document.ts';
import type { NewcomerCalls } from './newcomer-main.ts';
import type { ServerCalls } from './server-main.ts';
import type { WriterCalls } from './writers-main.ts';

/** How long processes may take to start; a loaded machine needs seconds for a Chrome. */
const START_LIMIT_MS = 60_000;
/** Joined and left by each newcomer before what is measured. */
const REHEARSAL = 'rehearsal';

export interface ProcessesOptions extends JoinCell, TrialSurroundings {
  pageFolder: string;
  /** The newcomer's, for the page. */
  script: string;
}

export type JoinProcesses = Awaited<ReturnType<typeof startProcesses>>;

/** Starts all processes; nothing is filled yet. @throws Error if one does not start */
export async function startProcesses(options: ProcessesOptions, trial: TrialProcesses) {
  const { framework, way, processes, documents, editsFile, pageFolder, script } = options;
  const late = () => new Error(`a process had not started after ${START_LIMIT_MS / 1000} s`);
  const within = <T>(starting: Promise<T>) => withLimit(starting, START_LIMIT_MS, late);
  const token = createToken();
  const workers = await Promise.all(
    Array.from({ length: processes }, async () => {
      const serverLost = (how: string) => new SubjectFailure('server-lost', `its server ${how}`);
      const process = trial.launch<ServerCalls>('join/server-main.ts', serverLost);
      const { port, pid } = await within(process.call('start', { framework, way, token }));
      // The server is in that process, or in a child of it.
      return { process, pid, url: `ws://127.0.0.1:${port}/${token}` };
    }),
  );
  /** Documents are spread over the server's workers by their number. */
  const placeOf = (document: number): Place => {
    const { url } = workers[document % workers.length]!;
    return { url, documentId: `document-${document}` };
  };
  const lost = (whose: string) => (how: string) => new Error(`the process of ${whose} ${how}`);
  const newcomer = trial.launch<NewcomerCalls>('join/newcomer-main.ts', lost('newcomers'));
  const writers = Array.from({ length: Math.min(documents, availableParallelism()) }, () =>
    trial.launch<WriterCalls>('join/writers-main.ts', lost('users who write')),
  );
  const writersOf = (document: number) => writers[document % writers.length]!;
  const numbers = Array.from({ length: documents }, (_, number) => number);
  await Promise.all([
    within(newcomer.call('start', { framework, pageFolder, script })),
    ...writers.map((process) => {
      const own = numbers.filter((number) => writersOf(number) === process);
      const places = Object.fromEntries(own.map((number) => [number, placeOf(number)]));
      return within(process.call('start', { framework, edits: editsFile, documents: places }));
    }),
  ]);
  return {
    newcomer,
    writers,
    placeOf,
    rehearsalOf: (document: number): Place => ({ ...placeOf(document), documentId: REHEARSAL }),
    /** The process of the users who write a document. */
    writersOf,
    /** Of the server's workers, with all that they have started. */
    serverPids: () => workers.flatMap(({ pid }) => processTree(pid)),
    /** CPU time of each of the server's workers so far, ms; null if the system does not tell. */
    serverCpuMs: () => Promise.all(workers.map(({ process }) => process.call('cpuMs'))),
    signal: trial.signal,
  };
}
