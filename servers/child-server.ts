/**
 * A framework's server that is a program of its own, in whatever language. It listens on a Unix socket in a folder that no other account
 * can enter; in this process is the gate before it, which lets in who knows the token, and then passes bytes on that it does not look into.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Child, type ChildEnd, endText } from '../infra/process/child.ts';
import { childEnvironment } from '../infra/process/environment.ts';
import { clearUpAfterEnd } from '../infra/process/group.ts';
import { listen, requireUpgrade } from './listen.ts';
import { ALONE_IN_MEMORY, type Backing, type FrameworkServer } from './server.ts';

/** How long a program that keeps documents may take to end in order, as in a deploy; whoever ends this process may give it less. */
const STOP_LIMIT_MS = 30_000;
/** Longer than a trial waits, which judges a late start by how busy the machine was. */
const START_LIMIT_MS = 60_000;
const LOOK_PERIOD_MS = 20;
/** No server here compresses; one that is not offered it cannot. */
const NOT_PASSED_ON = 'sec-websocket-extensions';

/** Where the program is to listen, and what stands behind it. */
export interface ListenOn {
  backing: Backing;
  /** The path of a Unix socket, which the program makes. A port would be open to every account of the machine. */
  socket: string;
}

export interface Program {
  /** The program and its arguments. It stays in the foreground, and may say on stderr what goes wrong. */
  command: readonly string[];
  /** Beside the variables that every program needs. */
  environment?: Readonly<Record<string, string>>;
}

/**
 * A server that is another program. It ends with this process, however that ends, and with it all that it started.
 *
 * @param programFor called with each start; may throw a sentence if the program is not there
 */
export function childServer(programFor: (listenOn: ListenOn) => Program): FrameworkServer {
  return {
    async start({ host, port, token, backing = ALONE_IN_MEMORY }) {
      // Short names: the path of a socket may have some hundred bytes. The folder's mode is 0700.
      const folder = await mkdtemp(join(tmpdir(), 's-'));
      const release = clearUpAfterEnd(['rm', '-rf', '--', folder]);
      const socket = join(folder, 's');
      let child: Child | null = null;
      let isStopping = false;
      const end = async () => {
        if (backing.store === undefined) child?.kill();
        await child?.stop(STOP_LIMIT_MS);
        await rm(folder, { recursive: true, force: true });
        release();
      };
      try {
        child = startProgram(programFor({ socket, backing }));
        await untilListening(socket, child);
        const gate = await openGate({ host, port, token, behind: socket });
        const failed = child.ended.then((end) => (isStopping ? new Promise<never>(() => {}) : sayEnd(end)));
        return {
          port: gate.port,
          child: { pid: child.pid, failed },
          async stop() {
            isStopping = true;
            await Promise.all([gate.stop(), end()]);
          },
        };
      } catch (error) {
        await end();
        throw error;
      }
    },
  };
}

function startProgram({ command, environment }: Program): Child {
  return new Child({ command, environment: { ...childEnvironment(), ...environment } });
}

function sayEnd(end: ChildEnd): string {
  return endText(end).replace(/^ended with exit code 0/, 'ended by itself, with exit code 0');
}

/** @throws Error if the program ends before it listens, or does not listen in time */
async function untilListening(socket: string, child: Child): Promise<void> {
  let end: string | null = null;
  child.ended.then((ended) => {
    end = sayEnd(ended);
  });
  for (const untilMs = performance.now() + START_LIMIT_MS; performance.now() < untilMs; ) {
    if (end !== null) throw new Error(`its process ${end}`);
    if (await accepts(socket)) return;
    await setTimeout(LOOK_PERIOD_MS);
  }
  throw new Error(`its process does not listen on ${socket}, ${START_LIMIT_MS / 1000} s after it was started`);
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket, () => resolve(true));
    probe.once('error', () => resolve(false));
    probe.once('connect', () => probe.destroy());
  });
}

function openGate(options: { host: string; port: number; token?: string; behind: string }) {
  const { behind, ...address } = options;
  const http = createServer(requireUpgrade);
  const clients = new Set<{ terminate(): void }>();
  http.on('upgrade', (request: IncomingMessage, near: Duplex, head: Buffer) => {
    const client = { terminate: () => near.destroy() };
    clients.add(client);
    near.once('close', () => clients.delete(client));
    const far = connect(behind);
    far.write(headOf(request), 'latin1');
    far.write(head);
    passOn(near, far);
  });
  return listen({ http, sockets: { clients, close: () => {} }, ...address });
}

/** The request as it came, but for the address, of which the token is off, and what nobody here is to be offered. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.toLowerCase() !== NOT_PASSED_ON) lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The last bytes of one end reach the other; an end that breaks takes the other with it. */
function passOn(near: Duplex, far: Duplex): void {
  near.pipe(far).pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.once('close', () => far.destroy());
}
