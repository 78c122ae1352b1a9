/** All processes that a run ever had, as far as they were seen, so that none can be left behind unnoticed. */
import { setTimeout } from 'node:timers/promises';
import { isRunning, processesOf, type Role, type RunProcess } from './processes.ts';

const PERIOD_MS = 100;
/** They outlive a trial. */
const OF_THE_RUN: readonly Role[] = ['coordinator', 'analysis', 'worker', 'recorder'];

export class SeenProcesses {
  readonly #seen = new Map<string, RunProcess>();

  /** Looks again and again. @param roots gives the processes that started the others */
  watch(roots: () => readonly number[]): Disposable {
    const timer = setInterval(() => this.look(roots()), PERIOD_MS);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** @returns those that are there now */
  look(roots: readonly number[]): RunProcess[] {
    const now = processesOf(roots);
    for (const each of now) this.#seen.set(`${each.pid} ${each.startedAt}`, each);
    return now;
  }

  /** Those of a trial that still run: all but what serves the whole run. */
  get ofTrial(): RunProcess[] {
    return this.running.filter(({ role }) => !OF_THE_RUN.includes(role));
  }

  get running(): RunProcess[] {
    for (const [key, each] of this.#seen) if (!isRunning(each)) this.#seen.delete(key);
    return [...this.#seen.values()];
  }
}

/** @returns those of them that still run after the limit; they are killed */
export async function untilGone(processes: readonly RunProcess[], limitMs: number): Promise<RunProcess[]> {
  const endMs = performance.now() + limitMs;
  let left = processes.filter(isRunning);
  while (left.length > 0 && performance.now() < endMs) {
    await setTimeout(PERIOD_MS);
    left = left.filter(isRunning);
  }
  for (const { pid } of left) kill(pid);
  return left;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
