/** The command line as a person starts it, to do harm to, and the workers that wait for its run elsewhere. */
import { spawn } from 'node:child_process';
import { createToken } from '../../infra/channel/token.ts';
import { freePort } from '../../infra/network/listen-on.ts';
import { Child, nodeCommand } from '../../infra/process/child.ts';

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

/** As `run` prints them: `[2/5] yjs-node-2 trial 2 · about 9 s to go · measure 3 s left`, `[2/6] yjs-updates-1, trial 1`. */
const PROGRESS_LINE = /^\[\d+\/\d+\] (\S+?),? trial (\d+)(?: · about [^·]+)?(?: · ([a-z-]+).*)?$/gm;

/**
 * @param options.project     the folder of the project
 * @param options.environment beside this process's own
 * @param options.signal      has it stop in order
 */
export function startCommand(
  args: readonly string[],
  options: { project: string; environment: NodeJS.ProcessEnv; signal: AbortSignal },
): Command {
  const { project, environment, signal: stopped } = options;
  // Not a Child, which clears away what a killed command leaves: that is to be seen.
  const child = spawn(process.execPath, [...process.execArgv, 'cli/main.ts', ...args], {
    cwd: project,
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

/** The exit code of a worker whose run is over. */
const OVER = 0;
/** How long a worker may take to end after the signal. */
const END_LIMIT_MS = 10_000;

/** The workers of a run that needs them: started, and started again if lost, as an orchestrator of containers would do. */
export class WaitingWorkers {
  /** Of each beside this process's own, and for the command that is to find them. */
  readonly environment: NodeJS.ProcessEnv;
  readonly #roles: readonly string[];
  readonly #project: string;
  readonly #running = new Set<Child>();
  #areWanted = false;

  private constructor(roles: readonly string[], project: string, environment: NodeJS.ProcessEnv) {
    this.#roles = roles;
    this.#project = project;
    this.environment = environment;
  }

  /**
   * @param roles               one worker of each; none is started yet
   * @param options.project     the folder of the project
   * @param options.environment of each, beside this process's own
   */
  static async prepare(
    roles: readonly string[],
    { project, environment }: { project: string; environment: NodeJS.ProcessEnv },
  ): Promise<WaitingWorkers> {
    const shared =
      roles.length === 0
        ? {}
        : { SCRIPTORIUM_DISPATCHER: `ws://127.0.0.1:${await freePort()}`, SCRIPTORIUM_TOKEN: createToken() };
    return new WaitingWorkers(roles, project, { ...environment, ...shared });
  }

  get pids(): number[] {
    return [...this.#running].map(({ pid }) => pid);
  }

  start(): void {
    this.#areWanted = true;
    for (const role of this.#roles) this.#startOne(role);
  }

  /** @returns how many had to be killed */
  async stop(): Promise<number> {
    this.#areWanted = false;
    const ended = await Promise.all([...this.#running].map((worker) => worker.stop(END_LIMIT_MS)));
    return ended.filter(({ signal }) => signal === 'SIGKILL').length;
  }

  #startOne(role: string): void {
    const environment = { ...process.env, ...this.environment, SCRIPTORIUM_ROLE: role };
    const command = nodeCommand('infra/workers/main.ts');
    const worker = new Child({ command, folder: this.#project, environment });
    this.#running.add(worker);
    worker.ended.then(({ code }) => {
      this.#running.delete(worker);
      if (this.#areWanted && code !== OVER) this.#startOne(role);
    });
  }
}
