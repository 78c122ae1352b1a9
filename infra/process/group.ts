/** Groups of processes: a process and all that it started, as long as they stay together. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { isAlive } from '../../results/run-folder/process-name.ts';
import { allProcessStats } from './stat.ts';

const PERIOD_MS = 20;

/**
 * The watcher's program: a shell that hears of commands, and of those that are no longer needed. Its input closes when this process is
 * gone, however that ended; then it kills what is left, and clears up after that: again, as what was killed may still write for a
 * moment. A process that is watched knows nothing of this.
 */
const WATCH = `
while read -r change command; do
  case $change in
    +) set -- "$@" "$command" ;;
    -) for other do shift; [ "$other" = "$command" ] || set -- "$@" "$other"; done ;;
  esac
done
for command do case $command in kill*) eval "$command" ;; esac; done
for command do
  case $command in kill*) continue ;; esac
  for pause in 0 1 2; do sleep $pause; eval "$command" && break; done
done`;

let watcher: ChildProcess | null = null;
/** Of the watcher, one for each process or remains. */
const commands: string[] = [];

/**
 * Has processes end when this one does, however that ends, and however busy they are.
 *
 * @param target a process id; a negative one: all of that group
 * @returns      lets them go; to be called once they have ended
 */
export function tether(target: number): () => void {
  return watch(`kill -KILL ${target}`);
}

/**
 * Has remains of this process cleared up when it is gone, however that ended, after what it had tethered was killed.
 *
 * @param command a program and its arguments; it fails if it is to be tried again
 * @returns       takes that back; to be called once they are cleared up
 */
export function clearUpAfterEnd(command: readonly string[]): () => void {
  return watch(command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' '));
}

/** @returns takes the command back */
function watch(command: string): () => void {
  commands.push(command);
  if (watcher === null) watcher = startWatcher();
  else watcher.stdin?.write(`+ ${command}\n`);
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    commands.splice(commands.indexOf(command), 1);
    if (commands.length > 0) watcher?.stdin?.write(`- ${command}\n`);
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
  // Without a shell there is nothing that could be done; the next command tries again.
  shell.on('error', () => {
    if (watcher === shell) watcher = null;
  });
  shell.stdin?.on('error', () => {});
  // It may be killed before this process is.
  shell.once('exit', () => {
    if (watcher === shell) watcher = startWatcher();
  });
  shell.unref();
  shell.stdin?.write(commands.map((command) => `+ ${command}\n`).join(''));
  return shell;
}

/** Kills the watcher, which would else outlive its last command for a moment and be counted as left behind. */
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
