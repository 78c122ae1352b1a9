/** Scenarios about a framework's real server: a cell for each framework and combination, and one trial's server with its users. */
import { versionToday } from '../frameworks/framework.ts';
import { readyNeeds } from '../frameworks/needs.ts';
import { BackingFailure } from '../harness/server/backing-failure.ts';
import { Deployment, type DeploymentOptions } from '../harness/server/deployment.ts';
import { ONE_IN_MEMORY } from '../harness/trial/servers-wanted.ts';
import { createToken } from '../infra/channel/token.ts';
import { nowMs } from '../infra/clock.ts';
import type { Callable } from '../infra/process/answers.ts';
import type { CalledOptions, CalledProcess } from '../infra/process/calls.ts';
import type { DocumentScenario, Parameters } from '../results/formats/documents.ts';
import type { RecordLine } from '../results/formats/records.ts';
import {
  type PlanContext,
  requireJoinable,
  type ScenarioContext,
  type ScenarioKind,
  SubjectFailure,
} from './scenario.ts';
import { TrialProcesses, withLimit } from './trial-processes.ts';
import { openWrittenEdits } from './written-edits.ts';

/** How long a server may take until it listens, or to end in order and then listen again; a loaded machine needs seconds. */
const LISTEN_LIMIT_MS = 60_000;

/** Given to every such trial beside its cell and its experiment. */
export interface TrialSurroundings {
  /** As `readEdits` reads it. */
  editsFile: string;
  /** Temporary files go here. */
  folder: string;
  signal: AbortSignal;
}

/**
 * @param options.cells   its cells, if users can join documents of all frameworks
 * @param options.ready   readies what its trials share beside that; `measure` gets it
 * @param options.measure one trial: returns the lines of its record; all that it started has ended then
 */
export function scenarioOfServers<
  Experiment extends { trace: string; edits: number[] },
  Cell extends Parameters & { framework: string; edits: number },
  Ready = undefined,
>(
  name: DocumentScenario,
  options: {
    cells(experiment: Experiment, context: PlanContext): Cell[];
    estimateMs(experiment: Experiment, cell: Cell): number;
    ready?(context: ScenarioContext): Promise<Ready>;
    measure(options: Experiment & Cell & TrialSurroundings, ready: Ready): Promise<RecordLine[]>;
  },
): ScenarioKind<Experiment, Cell> {
  return {
    cells(experiment, context) {
      for (const [framework, { about }] of context.frameworks) requireJoinable(name, framework, about);
      return options.cells(experiment, context);
    },
    estimateMs: options.estimateMs,
    async open(experiment, context) {
      const { frameworks, say, folder, signal: ofRun } = context;
      await readyNeeds({ frameworks: [...frameworks.values()], say, signal: ofRun });
      const fileOf = await openWrittenEdits(experiment, context);
      const ready = (await options.ready?.(context)) as Ready;
      return {
        versionOf: ({ framework }) => versionToday(frameworks.get(framework)!),
        async runTrial(cell, { write, signal }) {
          const editsFile = await fileOf(cell.edits);
          write(await options.measure({ ...experiment, ...cell, editsFile, folder, signal }, ready));
        },
      };
    },
  };
}

/** A trial's server, with what stands behind it, and the way to processes of its users. */
export interface LiveServer {
  server: Deployment;
  url: string;
  /** Aborts if the trial is to end: from outside, or with the error that says which process ended. */
  signal: AbortSignal;
  /** Starts a process of users, which calls `answerCalls`; `onNews` gets what it tells. */
  launch<Calls extends Callable<Calls>, News = object>(
    entry: string,
    onNews?: CalledOptions<News>['onNews'],
  ): CalledProcess<Calls, News>;
}

/**
 * Does something beside a framework's server that listens in a process of its own.
 *
 * @param options.behind a store; absent: it keeps documents in memory
 * @param options.mayEnd true if the server may end in this way; absent: it may not
 * @throws SubjectFailure `server-lost` if the server ended; all processes have ended whenever this settles
 */
export async function besideServer<T>(
  {
    framework,
    folder,
    signal: outer,
    behind,
    mayEnd = () => false,
  }: Pick<TrialSurroundings, 'folder' | 'signal'> & {
    framework: string;
    behind?: Pick<DeploymentOptions, 'store' | 'environment'>;
    mayEnd?(how: string): boolean;
  },
  work: (live: LiveServer) => Promise<T>,
): Promise<T> {
  const processes = new TrialProcesses({ folder, signal: outer });
  const server = new Deployment({
    ...ONE_IN_MEMORY,
    ...behind,
    framework,
    temporaryFolder: folder,
    onEnded(how, of) {
      if (of === 'store') processes.lose(new Error(how));
      else if (!mayEnd(how)) processes.lose(new SubjectFailure('server-lost', `its server ${how}`));
    },
  });
  const serve = async () => {
    const token = createToken();
    const late = () => new Error(`its server did not listen after ${LISTEN_LIMIT_MS / 1000} s`);
    const listening = server.listen({ address: '127.0.0.1', port: 0, token });
    const [port] = await withLimit(listening, LISTEN_LIMIT_MS, late);
    const errorOf = (how: string) =>
      new Error(`a process of users ${how}; there may be too many of them for this machine`);
    const launch: LiveServer['launch'] = (entry, onNews) => processes.launch(entry, errorOf, onNews);
    return work({ server, url: `ws://127.0.0.1:${port}/${token}`, signal: processes.signal, launch });
  };
  // A wait for it to listen ends with it alone.
  const stop = () => void server.stop().catch(() => {});
  outer.addEventListener('abort', stop);
  return processes.during(serve, [server]).finally(() => outer.removeEventListener('abort', stop));
}

/**
 * A server that was struck, or ended in order, must listen again.
 *
 * @param starting settles when it does
 * @param subject  the subject of the message, such as "its server"; whether it crashed the error says
 * @param fromMs   it is down until then
 * @throws SubjectFailure `not-reopened` if it does not, or not in time; BackingFailure if what stands behind it failed
 */
export async function reopened(starting: Promise<void>, subject: string, fromMs = nowMs()): Promise<void> {
  const limitMs = Math.max(0, fromMs - nowMs()) + LISTEN_LIMIT_MS;
  const late = () => new Error(`it does not listen again after ${LISTEN_LIMIT_MS / 1000} s`);
  await withLimit(starting, limitMs, late).catch((error: Error) => {
    if (error instanceof BackingFailure) throw error;
    throw new SubjectFailure('not-reopened', `${subject}: ${error.message}`);
  });
}
