/**
 * A framework's server in a process of its own: started, measured, killed as by a crash, stopped for a while, started again. The
 * process that calls it here reads its costs from outside, so that sampling costs the server next to nothing.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { CalledProcess } from '../../infra/process/calls.ts';
import { childEnvironment } from '../../infra/process/environment.ts';
import { signalTo } from '../../infra/process/group.ts';
import { SERVER_MARK_VARIABLE } from '../../servers/server.ts';
import { WrittenBytes } from '../probes/disk.ts';
import { markedProcesses, memoryBytesOf, peakMemoryBytesOf, TreeCpu } from '../probes/process-tree.ts';
import { createDelayGroups, LOOP_STEP_MS } from '../probes/this-process.ts';
import { type Counters, keepsFiles, type ServerCalls, type ServerNews, type ServerPlace } from './server-calls.ts';
import type { ServerSample } from './server-sample.ts';

/** How long the server may take to stop in order. */
const STOP_LIMIT_MS = 3000;
/** The same in a deploy, where it writes out what it holds: what Kubernetes grants unless told otherwise. */
const DEPLOY_LIMIT_MS = 30_000;

const NOTHING: Counters = { sentBytes: 0, receivedBytes: 0, cpuMs: 0, fileBytes: 0 };

export class ServerProcess {
  readonly #framework: string;
  readonly #onEnded: (how: string) => void;
  readonly #environment: Readonly<Record<string, string>>;
  /** In the environment of all that the server starts, wherever it goes. */
  readonly #mark = randomUUID();
  readonly #cpu = new TreeCpu([], () => this.pids());
  readonly #written = new WrittenBytes();
  #child: CalledProcess<ServerCalls, ServerNews>;
  #place: ServerPlace | null = null;
  #isListening = false;
  #isGate = false;
  /** The first process of the server's group. */
  #root = 0;
  #isPaused = false;
  #isStopped = false;
  /** Of the current process, and of all before it together. */
  #current = NOTHING;
  #before = NOTHING;
  /** When the current process last reported; null: not yet, so that nothing was counted since it began. */
  #reportedMs: number | null = null;
  /** Since the last sample. */
  readonly #delays = createDelayGroups(LOOP_STEP_MS);

  /**
   * Starts to load the server at once.
   *
   * @param onEnded is told if the server ends unasked once it listens: the end of a sentence after its name
   * @param environment variables that it gets beside those that every process gets
   */
  constructor(framework: string, onEnded: (how: string) => void, environment: Readonly<Record<string, string>> = {}) {
    this.#framework = framework;
    this.#onEnded = onEnded;
    this.#environment = environment;
    this.#child = this.#start();
  }

  /** @returns its port. @throws Error if the server cannot be loaded, or cannot listen there */
  async listen(place: ServerPlace): Promise<number> {
    const { port, program } = await this.#child.call('listen', place);
    this.#place = { ...place, port };
    this.#isGate = program !== null;
    this.#root = program ?? this.#child.pid;
    this.#cpu.add(this.#root);
    this.#isListening = true;
    return port;
  }

  /** A CPU profile of its thread, as JSON; null if the server is another program, or is down by a fault that struck it. */
  async profile(durationMs: number): Promise<string | null> {
    return this.#isListening ? this.#child.call('profile', durationMs) : null;
  }

  /**
   * Kills the server now. Another, which has all to learn anew, listens at its port from `untilMs` on; instants are on this
   * process's clock. Resolves once it accepts connections again.
   *
   * @throws Error if it does not start again
   */
  async restart(untilMs: number): Promise<void> {
    await this.kill();
    await realTimer.until(untilMs);
    await this.startAgain('crash');
  }

  /** The same as by a deploy: it is told to end, and has time to write out what it holds. */
  async replace(untilMs: number): Promise<void> {
    await this.#leave((child) => child.end(DEPLOY_LIMIT_MS));
    await realTimer.until(untilMs);
    await this.startAgain('deploy');
  }

  /** Kills it now. Another is loaded meanwhile, and does not yet listen. */
  kill(): Promise<void> {
    return this.#leave(async (child) => {
      // A program behind a gate leads a group of its own.
      if (this.#isGate) for (const pid of this.pids()) signalTo(pid, 'SIGKILL');
      await child.kill();
    });
  }

  /** Has the other listen at the port of the one that was killed. @throws Error if it does not start */
  async startAgain(after: 'crash' | 'deploy' = 'crash'): Promise<void> {
    await this.listen(this.#place!).catch((error: Error) => {
      throw new Error(`it does not start again after the requested ${after}: ${error.message}`);
    });
  }

  /** Stops all of its processes now, as they are, until `untilMs`; they lose nothing. */
  async pause(untilMs: number): Promise<void> {
    this.#isPaused = this.#isListening;
    if (this.#isPaused) this.#signal('SIGSTOP');
    await realTimer.until(untilMs);
    this.#goOn();
  }

  /** Cuts every connection now, and takes none until `untilMs`; the server keeps what it holds. */
  drop(untilMs: number): Promise<void> {
    return this.#child.call('drop', untilMs - nowMs());
  }

  /**
   * Memory of the server now, and the most that each of its processes ever had resident, together; null if the system does not tell.
   *
   * @param options.isCollected true: after a garbage collection, unless it is another program
   */
  async memory({ isCollected }: { isCollected: boolean }): Promise<{ bytes: number | null; peakBytes: number | null }> {
    const peakBytes = peakMemoryBytesOf(this.pids());
    if (isCollected) await this.#child.call('collect');
    return { bytes: await memoryBytesOf(this.pids()), peakBytes };
  }

  async sample(): Promise<ServerSample> {
    // A process knows its own CPU time to the microsecond on any kernel; some give others' in steps of 10 ms.
    if (!this.#isGate) this.#cpu.hear(this.#child.pid, this.#current.cpuMs);
    const [cpuMs, waitedMs, atMs] = [this.#cpu.readMs(), this.#cpu.waitedMs(), nowMs()];
    const { cpuMs: ownMs, sentBytes, receivedBytes } = this.#total();
    const traffic = { sentBytes, receivedBytes, atMs: this.#reportedMs ?? atMs };
    const delays = this.#delays.take();
    const memoryBytes = await this.#cpu.memoryBytes();
    const measured = { atMs, traffic, cpuMs, waitedMs, memoryBytes, serverWrittenBytes: this.#writtenBytes() };
    return this.#isGate ? { ...measured, gateCpuMs: ownMs, delays: null } : { ...measured, gateCpuMs: null, delays };
  }

  /** Of the server, wherever they went; the gate before another program is none. Empty if the system does not tell. */
  pids(): number[] {
    return markedProcesses(this.#mark).filter((pid) => !this.#isGate || pid !== this.#child.pid);
  }

  /** Ends it in order, or by force if that takes too long; resolves once it is gone. */
  async stop(): Promise<void> {
    this.#isListening = false;
    this.#isStopped = true;
    this.#goOn();
    await this.#child.end(STOP_LIMIT_MS);
  }

  /** Ends it in this way, and loads another: while it is down, so that the time is not that of a slow start. */
  async #leave(end: (child: CalledProcess<ServerCalls, ServerNews>) => Promise<void>): Promise<void> {
    this.#isListening = false;
    this.#goOn();
    await end(this.#child);
    if (this.#isStopped) throw new Error('it was stopped meanwhile');
    this.#before = this.#total();
    this.#current = NOTHING;
    this.#reportedMs = null;
    this.#child = this.#start();
  }

  #goOn(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#signal('SIGCONT');
  }

  /** To its group first, so that nobody starts others while those that left it are looked for. */
  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    signalTo(-this.#root, signal);
    for (const pid of this.pids()) signalTo(pid, signal);
  }

  #writtenBytes(): number | null {
    if (!keepsFiles(this.#place?.backing)) return null;
    // A program does not tell; nor does it write to its sockets by a call that would count.
    return this.#isGate ? this.#written.read(this.#cpu.pids) : this.#total().fileBytes;
  }

  #start(): CalledProcess<ServerCalls, ServerNews> {
    const onEnded = (how: string) => {
      if (this.#isListening) this.#onEnded(how);
    };
    return new CalledProcess<ServerCalls, ServerNews>({
      entry: join(import.meta.dirname, 'server-main.ts'),
      arguments: [this.#framework],
      environment: { ...childEnvironment(), ...this.#environment, [SERVER_MARK_VARIABLE]: this.#mark },
      onLost: onEnded,
      onNews: { failed: onEnded, report: (report) => this.#take(report) },
    });
  }

  #take({ delays, atMs, ...counters }: ServerNews['report']): void {
    this.#current = counters;
    this.#reportedMs = atMs;
    for (const [count, ms] of delays) this.#delays.add(ms, count);
  }

  #total(): Counters {
    const [before, current] = [this.#before, this.#current];
    return {
      sentBytes: before.sentBytes + current.sentBytes,
      receivedBytes: before.receivedBytes + current.receivedBytes,
      cpuMs: before.cpuMs + current.cpuMs,
      fileBytes: before.fileBytes === null || current.fileBytes === null ? null : before.fileBytes + current.fileBytes,
    };
  }
}
