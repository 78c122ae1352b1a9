/**
 * A framework's server in a process of its own: started, measured, killed as by a crash, started again. The process that calls
 * it here reads its costs from outside, so that sampling costs the server next to nothing.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { CalledProcess } from '../../infra/process/calls.ts';
import { childEnvironment } from '../../infra/process/environment.ts';
import { SERVER_MARK_VARIABLE } from '../../servers/server.ts';
import type { Observed } from '../experiment/servers.ts';
import { costReader } from '../probes/observed-server.ts';
import { markedProcesses, memoryBytesOf, peakMemoryBytesOf, TreeCpu } from '../probes/process-tree.ts';
import { createDelayGroups, type GroupedDelays, LOOP_STEP_MS } from '../probes/this-process.ts';

/** How long the server may take to stop in order. */
const STOP_LIMIT_MS = 3000;
/** The kernel holds up a process while it sums up that process's memory, so this is read seldom. */
const MEMORY_PERIOD_SAMPLES = 5;

export interface ServerPlace {
  address: string;
  /** 0: any free one. */
  port: number;
  /** The secret that every client must know. */
  token: string;
}

/** Calls to the server's process. */
export interface ServerCalls {
  /** @returns `program`: the server's process id if it is a program of its own, before which the called process only stands */
  listen(place: ServerPlace): Promise<{ port: number; program: number | null }>;
  /** A CPU profile, as JSON; null if the server is another program. */
  profile(durationMs: number): Promise<string | null>;
  /** Cuts every connection, and takes none for so long. */
  drop(forMs: number): Promise<void>;
  /** Collects the garbage of its process; of another program, nobody can. */
  collect(): Promise<void>;
}

/** Counters of a server's process since it began: bytes of all connections that it accepted, and its CPU time. */
interface Counters {
  sentBytes: number;
  receivedBytes: number;
  cpuMs: number;
}

/** News from the server's process. */
export interface ServerNews {
  /** `delays`: those of its event loop since the report before. `atMs`: when it read its counters, as late as it may tell. */
  report: Counters & { atMs: number; delays: GroupedDelays };
  /** The program behind it ended: the end of a sentence after its name. */
  failed: string;
}

/** The costs of a server since the trial's start. */
export interface ServerSample {
  /** When the system was asked, which tells CPU time up to then. */
  atMs: number;
  /** By the server's last report, or the gate's, which may be a quarter of a second old, and older if it is busy. Null: nobody counts. */
  traffic: (Omit<Counters, 'cpuMs'> & { atMs: number }) | null;
  /** CPU time of the server's process and all that it started; null if it cannot be read. */
  cpuMs: number | null;
  /** How long their threads were ready, while others had the cores, all together; null if it cannot be read. */
  waitedMs: number | null;
  /** Null if it was not read this time, or cannot be. */
  memoryBytes: number | null;
  /** CPU time of the process before a server that is a program of its own; null for any other. */
  gateCpuMs: number | null;
  /** How late the server's event loop was since the sample before; null if it is another program's. */
  delays: GroupedDelays | null;
}

const NOTHING: Counters = { sentBytes: 0, receivedBytes: 0, cpuMs: 0 };

/** A server as it is sampled: the trial's own, or what can be seen of somebody else's. */
export type MeasuredServer = Pick<ServerProcess, 'listen' | 'sample' | 'profile' | 'restart' | 'stop'>;

/** Somebody else's server. Its `listen` throws UserError (2) if it cannot be seen as was said. */
export function observeServer(observed: Observed): MeasuredServer {
  let read: Awaited<ReturnType<typeof costReader>>;
  return {
    async listen() {
      read = await costReader(observed);
      // It listens already, at an address of its own.
      return 0;
    },
    sample: async () => ({ ...(await read()), traffic: null, gateCpuMs: null, delays: null }),
    profile: async () => null,
    restart: () => Promise.reject(new Error('a server that somebody else runs is not restarted')),
    stop: async () => {},
  };
}

export class ServerProcess {
  readonly #framework: string;
  readonly #onEnded: (how: string) => void;
  /** In the environment of all that the server starts, wherever it goes. */
  readonly #mark = randomUUID();
  readonly #cpu = new TreeCpu([], () => this.#pids());
  #child: CalledProcess<ServerCalls, ServerNews>;
  #place: ServerPlace | null = null;
  #isListening = false;
  #isGate = false;
  /** Of the current process, and of all before it together. */
  #current = NOTHING;
  #before = NOTHING;
  /** When the current process last reported; null: not yet, so that nothing was counted since it began. */
  #reportedMs: number | null = null;
  /** Since the last sample. */
  readonly #delays = createDelayGroups(LOOP_STEP_MS);
  #samples = 0;

  /**
   * Starts to load the server at once.
   *
   * @param onEnded is told if the server ends unasked once it listens: the end of a sentence after its name
   */
  constructor(framework: string, onEnded: (how: string) => void) {
    this.#framework = framework;
    this.#onEnded = onEnded;
    this.#child = this.#start();
  }

  /** @returns its port. @throws Error if the server cannot be loaded, or cannot listen there */
  async listen(place: ServerPlace): Promise<number> {
    const { port, program } = await this.#child.call('listen', place);
    this.#place = { ...place, port };
    this.#isGate = program !== null;
    this.#cpu.add(program ?? this.#child.pid);
    this.#isListening = true;
    return port;
  }

  /** A CPU profile of its thread, as JSON; null if the server is another program. @throws Error if the server is down */
  profile(durationMs: number): Promise<string | null> {
    return this.#child.call('profile', durationMs);
  }

  /**
   * Kills the server now. Another, which has all to learn anew, listens at its port from `untilMs` on; instants are on this
   * process's clock.
   *
   * @returns when it was killed, and when it accepted connections again
   * @throws Error if it does not start again
   */
  async restart(untilMs: number): Promise<{ beganMs: number; endedMs: number }> {
    const beganMs = nowMs();
    this.#isListening = false;
    await this.#child.kill();
    this.#before = this.#total();
    this.#current = NOTHING;
    this.#reportedMs = null;
    // It is loaded while the server is down.
    this.#child = this.#start();
    try {
      await realTimer.until(untilMs);
      await this.listen(this.#place!);
    } catch (error) {
      throw new Error(`it does not start again after the requested crash: ${(error as Error).message}`);
    }
    return { beganMs, endedMs: nowMs() };
  }

  /**
   * Cuts every connection now, and takes none until `untilMs`, on this process's clock; the server keeps what it holds.
   *
   * @returns when it began, and when connections were taken again
   */
  async drop(untilMs: number): Promise<{ beganMs: number; endedMs: number }> {
    const beganMs = nowMs();
    await this.#child.call('drop', untilMs - beganMs);
    return { beganMs, endedMs: nowMs() };
  }

  /**
   * Memory of the server now, and the most that each of its processes ever had resident, together; null if the system does not tell.
   *
   * @param options.isCollected true: after a garbage collection, unless it is another program
   */
  async memory({ isCollected }: { isCollected: boolean }): Promise<{ bytes: number | null; peakBytes: number | null }> {
    const peakBytes = peakMemoryBytesOf(this.#pids());
    if (isCollected) await this.#child.call('collect');
    return { bytes: await memoryBytesOf(this.#pids()), peakBytes };
  }

  /** Memory is in every fifth sample, since reading it holds up the server. */
  async sample(): Promise<ServerSample> {
    // A process knows its own CPU time to the microsecond on any kernel; some give others' in steps of 10 ms.
    if (!this.#isGate) this.#cpu.hear(this.#child.pid, this.#current.cpuMs);
    const [cpuMs, waitedMs, atMs] = [this.#cpu.readMs(), this.#cpu.waitedMs(), nowMs()];
    const { cpuMs: ownMs, ...counted } = this.#total();
    const traffic = { ...counted, atMs: this.#reportedMs ?? atMs };
    const delays = this.#delays.take();
    const readsMemory = this.#samples++ % MEMORY_PERIOD_SAMPLES === 0;
    const memoryBytes = readsMemory && this.#cpu.pids.length > 0 ? await memoryBytesOf(this.#cpu.pids) : null;
    const measured = { atMs, traffic, cpuMs, waitedMs, memoryBytes };
    return this.#isGate ? { ...measured, gateCpuMs: ownMs, delays: null } : { ...measured, gateCpuMs: null, delays };
  }

  /** Ends it in order, or by force if that takes too long; resolves once it is gone. */
  async stop(): Promise<void> {
    this.#isListening = false;
    await this.#child.end(STOP_LIMIT_MS);
  }

  /** Of the server, wherever they went; the gate before another program is none. */
  #pids(): number[] {
    return markedProcesses(this.#mark).filter((pid) => !this.#isGate || pid !== this.#child.pid);
  }

  #start(): CalledProcess<ServerCalls, ServerNews> {
    const onEnded = (how: string) => {
      if (this.#isListening) this.#onEnded(how);
    };
    return new CalledProcess<ServerCalls, ServerNews>({
      entry: join(import.meta.dirname, 'server-main.ts'),
      arguments: [this.#framework],
      environment: { ...childEnvironment(), [SERVER_MARK_VARIABLE]: this.#mark },
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
    };
  }
}
