/**
 * The analysis in a process of its own, for whoever coordinates trials: DuckDB and what it read take hundreds of MiB,
 * which a process does not give back, and which are not to be there while users type.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Summary } from '../results/formats/summary.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import { UserError } from '../results/user-error.ts';
import { type Remembered, remembered } from './remembered.ts';

/** What the process can be asked for, each of a folder. */
export interface AnalysisTasks {
  /** `judgeTrialFiles`. */
  judge: Verdict;
  /** `writeReport` of one run. */
  summarize: Summary;
}

export interface AnalysisRequest {
  task: keyof AnalysisTasks;
  directory: string;
  remembered: Remembered;
}

export type AnalysisAnswer =
  | { result: AnalysisTasks[keyof AnalysisTasks]; remembered: Remembered }
  | { error: Pick<NodeJS.ErrnoException, 'message' | 'stack' | 'code'> & { exitCode: UserError['exitCode'] | null } };

/** A run asks for a trial's verdict, and then for its summary; what the verdict took need not be read again for that. */
const IDLE_LIMIT_MS = 2000;

/** `judgeTrialFiles`, elsewhere. */
export function judgeElsewhere(trialDirectory: string): Promise<Verdict> {
  return ask('judge', trialDirectory);
}

/** `writeReport` of one run, elsewhere. */
export function summarizeElsewhere(runDirectory: string): Promise<Summary> {
  return ask('summarize', runDirectory);
}

let child: ChildProcess | null = null;
let dismissal: NodeJS.Timeout | undefined;
/** One task after the other. */
let previous: Promise<unknown> = Promise.resolve();

function ask<Task extends keyof AnalysisTasks>(task: Task, directory: string): Promise<AnalysisTasks[Task]> {
  const answer = previous.then(() => askNow(task, directory));
  previous = answer.catch(() => {});
  return answer as Promise<AnalysisTasks[Task]>;
}

async function askNow(task: keyof AnalysisTasks, directory: string): Promise<unknown> {
  clearTimeout(dismissal);
  // One that was killed while nobody asked it anything will never answer.
  const asked = child?.connected ? child : start();
  child = asked;
  asked.ref();
  asked.channel?.ref();
  try {
    const answer = await answerOf(asked, { task, directory, remembered });
    if ('error' in answer) throw asThere(answer.error);
    for (const [key, cell] of answer.remembered.cells) remembered.cells.set(key, cell);
    for (const [entry, script] of answer.remembered.scripts) remembered.scripts.set(entry, script);
    return answer.result;
  } finally {
    // While nothing is asked of it, it keeps nobody waiting.
    asked.unref();
    asked.channel?.unref();
    dismissal = setTimeout(dismiss, IDLE_LIMIT_MS);
    dismissal.unref();
  }
}

function start(): ChildProcess {
  // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
  return fork(join(import.meta.dirname, 'in-own-process-main.ts'), {
    detached: true,
    execArgv: [],
    serialization: 'advanced',
  });
}

/** It ends when its channel does, as it does when this process ends. */
function dismiss(): void {
  if (child?.connected) child.disconnect();
  child = null;
}

function answerOf(asked: ChildProcess, request: AnalysisRequest): Promise<AnalysisAnswer> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: unknown) => {
      asked.off('close', onClose);
      resolve(answer as AnalysisAnswer);
    };
    const onClose = (code: number | null, signal: string | null) => {
      child = null;
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
      const message = `the process that reads the records of ${request.directory} ended ${how} before it was done; what is finished is kept: go on with --resume`;
      reject(new UserError(message, { exitCode: 3 }));
    };
    asked.once('message', onMessage);
    asked.once('close', onClose);
    // A process that cannot be sent anything has ended, or ends.
    asked.send(request, () => {});
  });
}

/** An error loses its kind on the way. */
function asThere({ exitCode, ...error }: Extract<AnalysisAnswer, { error: unknown }>['error']): Error {
  const there = exitCode === null ? new Error(error.message) : new UserError(error.message, { exitCode });
  return Object.assign(there, error);
}
