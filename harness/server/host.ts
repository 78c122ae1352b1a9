/** Where a framework's server runs in a trial, and what is read from there. */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { findFramework } from '../../frameworks/discover.ts';
import { loadServer } from '../../frameworks/halves.ts';
import type { ServerChild as ServerProgram } from '../../servers/server.ts';
import { takeCpuProfile } from '../probes/cpu-profile.ts';
import { type GroupedDelays, watchLoopDelay } from '../probes/loop-delay.ts';
import { SocketTraffic } from '../probes/socket-traffic.ts';

export interface ServerHost {
  port: number;
  /** Bytes of all connections that it accepted, since the trial's start. */
  traffic(): { sentBytes: number; receivedBytes: number };
  /** How late the event loop that it runs on was since the last call. */
  loopDelays(): GroupedDelays;
  /** A CPU profile of that thread, as JSON; null if the server is another program. */
  profile(durationMs: number): Promise<string | null>;
  stop(): Promise<void>;
  /** Where the server is a program of its own, before which that process only stands. */
  program?: ServerProgram;
}

export interface HostOptions {
  framework: string;
  address: string;
  /** 0: any free one. */
  port: number;
  /** The secret that every client must know. */
  token: string;
}

/**
 * The server in this process, as long as it lives.
 *
 * @throws Error if it cannot be loaded, or cannot listen there
 */
export async function startHere({ framework, address, port, token }: HostOptions): Promise<ServerHost> {
  const traffic = watchServerTraffic();
  const loopDelays = watchLoopDelay();
  const server = await loadServer(await findFramework(framework));
  const running = await server.start({ host: address, port, token });
  return {
    port: running.port,
    traffic: () => traffic.read(),
    loopDelays,
    // A profiler sees only its own process, not another program.
    profile: running.child === undefined ? takeCpuProfile : async () => null,
    stop: () => running.stop(),
    program: running.child,
  };
}

/** Counts the bytes of every connection that this process accepts, whichever library does: Node tells of each. */
function watchServerTraffic(): SocketTraffic {
  const traffic = new SocketTraffic();
  subscribe('net.server.socket', (message) => traffic.add((message as { socket: Socket }).socket));
  return traffic;
}
