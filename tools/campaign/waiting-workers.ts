/** The workers of a run that needs them: started, and started again if lost, as an orchestrator of containers would do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createToken } from '../../infra/channel/token.ts';
import { freePort } from '../../infra/network/free-port.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';

/** The exit code of a worker whose run is over. */
const OVER = 0;
/** How long a worker may take to end after the signal. */
const END_LIMIT_MS = 10_000;

export class WaitingWorkers {
  readonly #roles: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #running = new Set<ChildProcess>();
  #areWanted = false;

  private constructor(roles: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#roles = roles;
    this.#environment = environment;
  }

  /**
   * @param roles       one worker of each; none is started yet
   * @param environment of each, beside this process's own
   */
  static async prepare(roles: readonly string[], environment: NodeJS.ProcessEnv): Promise<WaitingWorkers> {
    const shared =
      roles.length === 0
        ? {}
        : { SCRIPTORIUM_DISPATCHER: `ws://127.0.0.1:${await freePort()}`, SCRIPTORIUM_TOKEN: createToken() };
    return new WaitingWorkers(roles, { ...environment, ...shared });
  }

  /** For the command that is to find them. */
  get environment(): NodeJS.ProcessEnv {
    return this.#environment;
  }

  get pids(): number[] {
    return [...this.#running].map(({ pid }) => pid!);
  }

  start(): void {
    this.#areWanted = true;
    for (const role of this.#roles) this.#startOne(role);
  }

  /** @returns how many had to be killed */
  async stop(): Promise<number> {
    this.#areWanted = false;
    const stopped = await Promise.all(
      [...this.#running].map(async (worker) => {
        const ended = once(worker, 'exit');
        worker.kill('SIGTERM');
        let isKilled = false;
        const killer = setTimeout(() => {
          isKilled = worker.kill('SIGKILL');
        }, END_LIMIT_MS);
        await ended;
        clearTimeout(killer);
        return isKilled;
      }),
    );
    return stopped.filter(Boolean).length;
  }

  #startOne(role: string): void {
    const worker = spawn(process.execPath, ['infra/workers/main.ts'], {
      cwd: PROJECT_ROOT,
      env: { ...process.env, ...this.#environment, SCRIPTORIUM_ROLE: role },
      stdio: 'ignore',
      detached: true,
    });
    this.#running.add(worker);
    worker.once('exit', (code) => {
      this.#running.delete(worker);
      if (this.#areWanted && code !== OVER) this.#startOne(role);
    });
  }
}
