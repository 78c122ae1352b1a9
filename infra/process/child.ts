/**
 * Child processes: the one way to start another program. Each leads a group of its own, so that Ctrl-C reaches only the harness,
 * which then ends all in order. However this process ends, its children end too, with all that they started.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { readKernelFile } from '../kernel-file.ts';
import { childEnvironment } from './environment.ts';
import { killGroup, tether, untilGroupEnds } from './group.ts';
import { replacedPackages } from './packages.ts';

/** How much of a process's last words is kept for a message. */
const LAST_WORDS_CHARACTERS = 2000;
/** How long output may still come after a process's end: a process outside its group may hold the pipe open. */
const LAST_WORDS_MS = 2000;
/** How long a process may take to end by itself before it is killed. */
const GRACE_MS = 5000;

export interface ChildOptions {
  /** The program and its arguments; it stays in the foreground. */
  command: readonly string[];
  folder?: string;
  /** All that it gets; what environment.ts lets through unless given. */
  environment?: NodeJS.ProcessEnv;
  /** The child's stdin; empty unless given. */
  input?: string;
  /** Gets what it prints on stdout, which is dropped unless given. */
  onOutput?: (text: string) => void;
  /** It has this process's terminal: its input, its output and its Ctrl-C. Then it is in this process's group. */
  inTerminal?: boolean;
  /** True: the child has Node's channel to this process; see calls.ts. */
  hasChannel?: boolean;
  /** True: the child hears on a pipe at its descriptor 3 and speaks on one at 4, as Chrome does with who drives it. */
  hasPipes?: boolean;
  /** False: it ends with its channel by itself, so that no watcher counts as part of whoever started it, if that is measured. */
  isTethered?: boolean;
  /** As whom it runs. */
  account?: { uid: number; gid: number };
  /** It is killed when it takes longer, ms. */
  limitMs?: number;
  /** Stops the child, by force if it does not stop by itself. */
  signal?: AbortSignal;
}

export interface ChildEnd {
  /** Both null if it could not be started. */
  code: number | null;
  signal: string | null;
  /** The end of what it wrote to stderr, or why it could not be started. */
  lastWords: string;
  /** Words about memory, if the child was killed and memory may be the reason. */
  memory?: string;
}

/** A child process that was started. */
export class Child {
  /** For its channel, or its pipes. */
  readonly process: ChildProcess;
  /** 0 if it could not be started. */
  readonly pid: number;
  /** Resolves once it is gone, with all that it started. */
  readonly ended: Promise<ChildEnd>;
  readonly #options: ChildOptions;
  readonly #memoryKills = countMemoryKills();
  #lastWords = '';
  #hasEnded = false;
  #isLate = false;
  #startError: NodeJS.ErrnoException | null = null;

  /** Starts it. Also a program that is not there is told of by its end. */
  constructor(options: ChildOptions) {
    const { command, folder, environment = childEnvironment(), inTerminal = false, account, input, onOutput } = options;
    const [program, ...rest] = command;
    this.#options = options;
    this.process = spawn(program!, rest, {
      cwd: folder,
      env: environment,
      ...account,
      stdio: stdioOf(options),
      serialization: 'advanced',
      // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
      detached: !inTerminal,
    });
    this.pid = this.process.pid ?? 0;
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS_CHARACTERS);
    });
    // Where this process may open no further file, nothing was started and there are no pipes.
    if (onOutput !== undefined) this.process.stdout?.setEncoding('utf8').on('data', onOutput);
    // A program that ended early tells why by its exit code.
    this.process.stdin?.on('error', () => {}).end(input);
    this.ended = this.#life();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** True if the child was killed because it took longer than `limitMs`. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** The system's error, such as ENOENT, if it could not be started. */
  get startError(): NodeJS.ErrnoException | null {
    return this.#startError;
  }

  /** Kills it at once, with all that it started. */
  kill(): void {
    // Another process may have its number since.
    if (this.pid === 0 || this.#hasEnded) return;
    if (this.#options.inTerminal) this.process.kill('SIGKILL');
    else killGroup(this.pid);
  }

  /** Asks the child to end (SIGTERM), kills it if it does not, and resolves once it is gone. Safe to call twice. */
  async stop(graceMs: number = GRACE_MS): Promise<ChildEnd> {
    if (!this.#hasEnded) this.process.kill('SIGTERM');
    return this.endWithin(graceMs);
  }

  /** Kills the child if it does not end within this time, and resolves once it is gone. */
  async endWithin(graceMs: number): Promise<ChildEnd> {
    const killer = setTimeout(() => this.#hasEnded || this.kill(), graceMs);
    return this.ended.finally(() => clearTimeout(killer));
  }

  async #life(): Promise<ChildEnd> {
    const { pid } = this;
    const { inTerminal = false, isTethered = true, limitMs, signal } = this.#options;
    const release = pid === 0 || !isTethered ? () => {} : tether(inTerminal ? pid : -pid);
    const stop = () => void this.stop();
    const timer = limitMs === undefined ? undefined : setTimeout(() => this.#takeTooLong(), limitMs);
    signal?.addEventListener('abort', stop);
    const end = await this.#untilExit();
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    if (pid !== 0 && !inTerminal) await untilGroupEnds(pid, GRACE_MS);
    release();
    return end;
  }

  #takeTooLong(): void {
    this.#isLate = true;
    this.kill();
  }

  async #untilExit(): Promise<ChildEnd> {
    const { stdout, stderr } = this.process;
    const silent = Promise.all([untilClosed(stdout), untilClosed(stderr)]);
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      // Each time: what is sent to a process that has just ended fails, message by message.
      this.process.on('error', (error) => {
        if (this.pid !== 0) return;
        this.#startError = error;
        resolve([null, null]);
      });
      this.process.once('exit', (code, signal) => resolve([code, signal]));
    });
    this.#hasEnded = true;
    if (this.#startError !== null) return { code, signal, lastWords: this.#startError.message };
    // Processes that it left would hold its output open, so that the end of its last words would not be seen.
    if (!this.#options.inTerminal) killGroup(this.pid);
    await Promise.race([silent, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    for (const stream of [stdout, stderr]) stream?.destroy();
    const memory = signal === 'SIGKILL' ? memoryKillSince(this.#memoryKills) : '';
    return { code, signal, lastWords: this.#lastWords.trim(), memory };
  }
}

function stdioOf({ inTerminal, input, onOutput, hasChannel, hasPipes }: ChildOptions): SpawnOptions['stdio'] {
  if (inTerminal) return 'inherit';
  return [
    input === undefined ? 'ignore' : 'pipe',
    onOutput === undefined ? 'ignore' : 'pipe',
    'pipe',
    ...(hasPipes ? (['pipe', 'pipe'] as const) : []),
    ...(hasChannel ? (['ipc'] as const) : []),
  ];
}

async function untilClosed(stream: Readable | null | undefined): Promise<void> {
  if (stream && !stream.closed) await once(stream, 'close');
}

/**
 * The command of a Node process that runs a file of the project. As in the launcher, Node warns nobody of a time that has passed when a
 * library asks to be woken: the words would be taken for errors of the library.
 */
export function nodeCommand(entry: string, ...rest: readonly string[]): string[] {
  return [process.execPath, '--disable-warning=TimeoutNegativeWarning', entry, ...rest];
}

/** How a process ended badly, to follow its name in a sentence; null if it ended well. */
export function badEnd(end: ChildEnd, replaced = replacedPackages): string | null {
  return end.code === 0 ? null : endText(end, replaced);
}

/** How a process ended, to follow its name in a sentence, such as "ended with exit code 3". */
export function endText(
  { code, signal, lastWords, memory = '' }: ChildEnd,
  replacedIn: typeof replacedPackages = replacedPackages,
): string {
  if (code === null && signal === null) return `could not be started: ${lastWords}`;
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const replaced = replacedIn(lastWords);
  if (replaced !== null) return `ended ${how}: ${replaced}`;
  return `ended ${how}${memory}${lastWords && `:\n${lastWords}`}`;
}

/**
 * Runs a program to its end.
 *
 * @returns its output on stdout, without white space around it
 * @throws Error with its last words if it fails or takes longer than `limitMs`, the system's error (ENOENT) if it is not
 *         there, and the signal's reason if that aborts
 */
export async function runCommand(
  command: readonly string[],
  options: Omit<ChildOptions, 'command' | 'hasChannel'> = {},
): Promise<string> {
  const { signal, limitMs, inTerminal, onOutput } = options;
  signal?.throwIfAborted();
  let printed = '';
  const keep = (text: string) => {
    printed += text;
  };
  const child = new Child({ ...options, command, onOutput: inTerminal ? undefined : (onOutput ?? keep) });
  const { code, lastWords, ...end } = await child.ended;
  signal?.throwIfAborted();
  if (child.startError !== null) throw child.startError;
  if (child.isLate) throw new Error(`${command[0]} was not done after ${limitMs! / 1000} s`);
  if (code === 0) return printed.trim();
  // Some programs, such as npm, say on stdout what is wrong.
  throw new Error(
    lastWords || printed.trim().slice(-LAST_WORDS_CHARACTERS) || `it ${endText({ ...end, code, lastWords })}`,
  );
}

/** `runCommand` of a program that the person trusts with all of their environment, such as git, npm or docker. */
export function runTool(command: readonly string[], options: Parameters<typeof runCommand>[1] = {}): Promise<string> {
  return runCommand(command, { environment: process.env, ...options });
}

/** Runs a program of the person's that has this process's terminal, with all of their environment. @returns its exit code; 1 if it was killed or could not be started */
export async function runInTerminal(options: Omit<ChildOptions, 'inTerminal'>): Promise<number> {
  const { code } = await new Child({ environment: process.env, ...options, inTerminal: true }).ended;
  return code ?? 1;
}

/** Starts a program of the person's that outlives this one, such as a browser; nothing tells if it did not start. */
export function startAndLeave(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

/** Splits output into lines, each without its end. @returns takes output; the last call, without any, ends the last line */
export function byLine(onLine: (line: string) => void): (text?: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + (text ?? '')).split('\n');
    rest = text === undefined ? '' : lines.pop()!;
    for (const line of lines) if (text !== undefined || line !== '') onLine(line);
  };
}

/** In a container its own count; that of the machine holds what the kernel ended in others. */
const MEMORY_KILLS = ['/sys/fs/cgroup/memory.events', '/proc/vmstat'];

/** How many there were so far; null if the kernel does not tell. */
export function countMemoryKills(files: readonly string[] = MEMORY_KILLS): number | null {
  const told = files
    .values()
    .map(readKernelFile)
    .find((text) => text !== null);
  const [, count] = /^oom_kill (\d+)$/m.exec(told ?? '') ?? [];
  return count === undefined ? null : Number(count);
}

/**
 * @param since the count of `countMemoryKills` when a process began that is gone now
 * @returns     the possible reason, to follow a message; empty if the kernel ended no process
 */
export function memoryKillSince(since: number | null, files?: readonly string[]): string {
  const count = countMemoryKills(files);
  return since !== null && count !== null && count > since
    ? ' (the kernel ended a process because memory ran out; take fewer users, or give them more memory)'
    : '';
}
