/** The command line as a person starts it, to do harm to. */
import { spawn } from 'node:child_process';
import { PROJECT_ROOT } from '../../infra/project.ts';

export interface CommandEnd {
  /** One of them is null. */
  code: number | null;
  signal: string | null;
}

/** How far it says that it is. */
export interface Progress {
  /** The trial that was begun last, as its folder is called; null before the first. */
  trial: string | null;
  /** Null if its scenario has none. */
  phase: string | null;
}

export interface Command {
  pid: number;
  /** The command's stderr so far. */
  said(): string;
  progress(): Progress;
  hasEnded(): boolean;
  ended: Promise<CommandEnd>;
}

/** As `run` prints them: `[2/5] yjs-node-2 trial 2 · measure 3 s left`, `[2/6] yjs-updates-1, trial 1`. */
const PROGRESS_LINE = /^\[\d+\/\d+\] (\S+?),? trial (\d+)(?: · ([a-z-]+).*)?$/gm;

/**
 * @param options.environment beside this process's own
 * @param options.signal      has it stop in order
 */
export function startCommand(
  args: readonly string[],
  { environment, signal: stopped }: { environment: NodeJS.ProcessEnv; signal: AbortSignal },
): Command {
  const child = spawn(process.execPath, [...process.execArgv, 'cli/main.ts', ...args], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const interrupt = () => child.kill('SIGINT');
  let hasEnded = false;
  const ended = new Promise<CommandEnd>((resolve) => {
    // Not `close`: what was left behind may hold its output open.
    child.once('exit', (code, signal) => {
      hasEnded = true;
      stopped.removeEventListener('abort', interrupt);
      resolve({ code, signal });
    });
  });
  stopped.addEventListener('abort', interrupt);
  return { pid: child.pid!, said: () => said, progress: () => progressIn(said), hasEnded: () => hasEnded, ended };
}

/** @param said a run's stderr */
export function progressIn(said: string): Progress {
  const [, cell, trial, phase = null] = [...said.matchAll(PROGRESS_LINE)].at(-1) ?? [];
  return { trial: cell === undefined ? null : `${cell}-${trial}`, phase };
}
