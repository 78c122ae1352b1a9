/** Groups of processes: a process and all that it started, as long as they stay together. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { isAlive } from '../../results/run-folder/process-name.ts';
import { allProcessStats } from './stat.ts';

const PERIOD_MS = 20;

/**
 * The watcher's program: a shell that hears of processes to watch, and of those that ended. Its input closes when this process
 * is gone, however that ended; then it kills those that are left. A process that is watched knows nothing of this.
 */
const WATCH = `
watched=
while read -r change target; do
  case $change in
    +) watched="$watched $target" ;;
    -) left=
       for other in $watched; do [ "$other" = "$target" ] || left="$left $other"; done
       watched=$left ;;
  esac
done
for target in $watched; do kill -KILL "$target"; done`;

let watcher: ChildProcess | null = null;
/** One entry for each tether. */
const targets: number[] = [];

/**
 * Has processes end when this one does, however that ends, and however busy they are.
 *
 * @param target a process id; a negative one: all of that group
 * @returns      lets them go; to be called once they have ended
 */
export function tether(target: number): () => void {
  targets.push(target);
  if (watcher === null) watcher = startWatcher();
  else watcher.stdin?.write(`+ ${target}\n`);
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    targets.splice(targets.indexOf(target), 1);
    if (targets.length > 0) watcher?.stdin?.write(`- ${target}\n`);
    else endWatcher();
  };
}

function startWatcher(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', WATCH], {
    // Nothing of the environment: it holds the run's token.
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C does not reach it.
    detached: true,
  });
  // Without a shell there is nothing that could be done.
  shell.on('error', () => {});
  shell.stdin!.on('error', () => {});
  // It may be killed before this process is.
  shell.once('exit', () => {
    if (watcher === shell) watcher = startWatcher();
  });
  shell.unref();
  shell.stdin!.write(targets.map((target) => `+ ${target}\n`).join(''));
  return shell;
}

/** Kills the watcher, which would else outlive its last target for a moment and be counted as left behind. */
function endWatcher(): void {
  const ended = watcher;
  watcher = null;
  ended?.kill('SIGKILL');
  ended?.stdin?.destroy();
}

/**
 * Resolves when no process of the group is left: its first may end before the others, such as Chrome before its zygotes.
 *
 * @param group   the process id of its first process
 * @param limitMs processes that are left after this time are killed
 */
export async function untilGroupEnds(group: number, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (isRunning(group)) {
    if (performance.now() >= endMs) return killGroup(group);
    await setTimeout(PERIOD_MS);
  }
}

/** Kills a group at once; one that is gone is none the worse for it. */
export function killGroup(group: number): void {
  signalTo(-group, 'SIGKILL');
}

/** @param target a process id; a negative one: all of that group. One that is gone is none the worse for it. */
export function signalTo(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It has just ended.
  }
}

/** Processes that ended, and that nobody has asked after, do not count on systems whose kernel lists them. */
function isRunning(group: number): boolean {
  if (!isAlive(-group)) return false;
  if (process.platform !== 'linux') return true;
  return allProcessStats().some((process) => process.group === group && !process.ended);
}
