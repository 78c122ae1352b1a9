/** A Node process of the project: started from an entry file, listened to for its last words, ended in order. */
import { type ChildProcess, spawn } from 'node:child_process';
import { CUT_OFF_EXIT_CODE, type Failure } from '../fleet.ts';
import { countMemoryKills, memoryKillSince } from '../machine/memory-kills.ts';
import { untilGroupEnds } from './process-group.ts';

/** How long a process may take to end by itself before it is killed. */
const GRACE_MS = 5000;
/** How much of a process's last words is kept for a message. */
const LAST_WORDS_CHARACTERS = 2000;

export interface ProcessEnd {
  /** Both null where it could not be started. */
  code: number | null;
  signal: string | null;
  /** The end of what it wrote to stderr, or why it could not be started. */
  lastWords: string;
  /** Of one that was killed, where memory may be why: what to say of that. */
  memory?: string;
}

export interface RunningProcess {
  ended: Promise<ProcessEnd>;
  /** Asks it to end, kills it where it does not, and resolves once it is gone. */
  end(): Promise<void>;
}

/**
 * @param options.root        the folder that `entry` is relative to
 * @param options.environment all that the process gets
 */
export function startProcess(options: {
  root: string;
  entry: string;
  arguments: string[];
  environment: NodeJS.ProcessEnv;
}): RunningProcess {
  const child = spawn(process.execPath, [options.entry, ...options.arguments], {
    cwd: options.root,
    env: options.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
    detached: true,
  });
  const ended = endOf(child);
  return {
    ended,
    async end() {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(killer);
      if (child.pid !== undefined) await untilGroupEnds(child.pid, GRACE_MS);
    },
  };
}

/** How a process ends that was just started, with a pipe for what it writes to stderr. */
export function endOf(child: ChildProcess): Promise<ProcessEnd> {
  const memoryKills = countMemoryKills();
  let lastWords = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS_CHARACTERS);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, lastWords: error.message }));
    child.once('close', (code, signal) => {
      const memory = signal === 'SIGKILL' ? memoryKillSince(memoryKills) : '';
      resolve({ code, signal, lastWords: lastWords.trim(), memory });
    });
  });
}

/** How a process ended badly, to follow its name in a sentence; null where it ended well. */
export function badEnd({ code, signal, lastWords, memory = '' }: ProcessEnd): string | null {
  if (code === 0) return null;
  if (code === null && signal === null) return `could not be started: ${lastWords}`;
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return `ended ${how}${memory}${lastWords && `:\n${lastWords}`}`;
}

/** How a job's process failed; null where it ended well. @param who names it, as in "the server process" */
export function failureOf(who: string, end: ProcessEnd): Failure | null {
  if (end.code === CUT_OFF_EXIT_CODE) {
    const { lastWords } = end;
    return { text: `${who} has no connection to the coordinator${lastWords && `:\n${lastWords}`}`, of: 'connection' };
  }
  const problem = badEnd(end);
  return problem === null ? null : { text: `${who} ${problem}`, of: 'process' };
}

/** The first that is not null, as soon as it is there; null once all are. */
export function firstFailure<Failure>(ends: Promise<Failure | null>[]): Promise<Failure | null> {
  return new Promise((resolve) => {
    for (const end of ends) end.then((failure) => failure !== null && resolve(failure));
    Promise.all(ends).then(() => resolve(null));
  });
}
