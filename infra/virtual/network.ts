/**
 * WebSockets between users and a server in one process, on a virtual clock. A client's end is as the browser has it, a
 * server's as `ws` has it, each as far as frameworks use it. Every frame takes its user's line, which may break: then frames
 * are lost with their connection, as TCP loses them, and each end learns of it after its own time.
 */
import { EventEmitter } from 'node:events';
import { createLane, type Link } from '../network/link.ts';
import type { VirtualClock } from './clock.ts';
import { ServerSocket, sizeOf } from './server-socket.ts';
import { BROKEN } from './socket.ts';

/** Shortest way over loopback and into a server's reading loop, ms: nothing arrives at the instant at which it is sent. */
const TRANSIT_MS = 0.5;
/** `ws` waits so long for the answer to a close. */
const CLOSE_LIMIT_MS = 30_000;

/** One WebSocket message: text or binary, as the client sent it. */
export type Frame = string | Uint8Array;
type Content = Frame | ArrayBuffer;
export type Direction = 'there' | 'back';

/** One user's way to the server, which all its connections take. */
export interface Line {
  link: Link;
  seed: number;
  /** True: connections are refused. */
  isDown?: boolean;
  /** Messages that are sent earlier arrive then, all at once: TCP waits for what was lost. */
  stalledUntilMs?: Readonly<Record<Direction, number>>;
  onConnect?(path: string): void;
  onSent?(frame: Frame): void;
  /** Gets what would now be handed to the client; calls `deliver` then, or later, in order. */
  onArriving?(arrivedMs: number, deliver: () => void): void;
}

/** A message on its way. */
export interface Passage {
  line: Line;
  direction: Direction;
  content: Content;
  sentMs: number;
  /** When it gets there, if it is not lost. */
  arrivesMs: number;
  hasArrived: boolean;
}

/** The client's end of a connection. */
interface ClientEnd {
  opened(): void;
  receive(message: string | ArrayBuffer): void;
  ended(code: number, reason: string): void;
}

/** The part of `ws`' server that frameworks use. */
type VirtualConnections = EventEmitter & { clients: Set<ServerSocket> };

export class VirtualNetwork {
  readonly clock: VirtualClock;
  /** The source of the server's connections; null: nothing listens. */
  connections: VirtualConnections | null = null;
  /** Connections that neither ended nor broke. */
  readonly open = new Set<Connection>();
  onPassage: ((passage: Passage) => void) | null = null;
  /** True once somebody has connected, or tried to. */
  isUsed = false;
  /** True: nothing gets anywhere, and nobody is told. */
  isSilent = false;
  /** The line to an address; null: nobody has one. */
  lineOf: (url: URL) => Line | null;

  constructor(clock: VirtualClock, lineOf: (url: URL) => Line | null = () => null) {
    this.clock = clock;
    this.lineOf = lineOf;
  }

  lineTo(url: URL): Line {
    const line = this.lineOf(url);
    if (line === null) throw new Error(`a socket to ${url.host} was opened outside every simulated user`);
    return line;
  }

  /** From now on there is a server. @returns the source of its connections */
  listen(): VirtualConnections {
    this.connections = Object.assign(new EventEmitter().setMaxListeners(0), { clients: new Set<ServerSocket>() });
    return this.connections;
  }

  /** The server's process is gone: it hears nothing more. */
  crash(cut: Omit<Cut, 'serverLagMs'>): void {
    for (const server of this.connections?.clients ?? []) server.die();
    this.connections = null;
    for (const connection of [...this.open]) connection.cut({ ...cut, serverLagMs: 0 });
  }
}

/** Carries things one way, in order. */
function createWay(clock: VirtualClock, line: Line, direction: Direction): (bytes: number) => number {
  const lane = createLane(line.link, 2 * line.seed + (direction === 'there' ? 1 : 2));
  let lastMs = 0;
  return (bytes) => {
    const stalledUntilMs = line.stalledUntilMs?.[direction] ?? 0;
    lastMs = Math.max(lastMs, stalledUntilMs, lane(clock.nowMs(), bytes) + TRANSIT_MS);
    return lastMs;
  };
}

export interface Cut {
  clientLagMs: number;
  serverLagMs: number;
  /** True: what is on its way still arrives, at an end that has not learnt of the break. */
  drains: boolean;
}

/** A connection of a user, between its two ends. */
export class Connection {
  readonly line: Line;
  server: ServerSocket | null = null;
  readonly #network: VirtualNetwork;
  readonly #client: ClientEnd;
  readonly #ways: Record<Direction, (bytes: number) => number>;
  /** All that was sent from then on is lost. */
  readonly #lostFromMs = { there: Number.POSITIVE_INFINITY, back: Number.POSITIVE_INFINITY };
  /** The last that the server reads at once. */
  #chunk: { arrivesMs: number; deliveries: (() => void)[] } = { arrivesMs: 0, deliveries: [] };

  constructor(network: VirtualNetwork, line: Line, client: ClientEnd) {
    this.#network = network;
    this.line = line;
    this.#client = client;
    const { clock } = network;
    this.#ways = { there: createWay(clock, line, 'there'), back: createWay(clock, line, 'back') };
    network.open.add(this);
    network.isUsed = true;
  }

  open(path: string): void {
    this.carry('there', null, () => {
      const { connections, open } = this.#network;
      // Opening takes more ways than this one: what breaks meanwhile never reaches the server.
      if (!open.has(this)) return;
      if (connections === null || this.line.isDown) return this.carry('back', null, () => this.#end(BROKEN, ''));
      const server = new ServerSocket(this);
      this.server = server;
      connections.clients.add(server);
      server.once('close', () => connections.clients.delete(server));
      this.carry('back', null, () => this.#client.opened());
      connections.emit('connection', server, { url: path, headers: {}, socket: {} });
    });
  }

  /** @param content null: no message, but what opens or closes the connection */
  carry(direction: Direction, content: Content | null, arrive: () => void): void {
    const { clock, onPassage, isSilent } = this.#network;
    if (isSilent) return;
    const sentMs = clock.nowMs();
    const arrivesMs = this.#ways[direction](content === null ? 0 : sizeOf(content));
    const passage = { line: this.line, direction, sentMs, arrivesMs, hasArrived: false };
    if (content !== null) onPassage?.(Object.assign(passage, { content }));
    const deliver = () => {
      if (sentMs >= this.#lostFromMs[direction]) return;
      passage.hasArrived = true;
      arrive();
    };
    if (direction === 'back' && this.line.onArriving !== undefined) this.line.onArriving(arrivesMs, deliver);
    else if (direction === 'there' && content !== null) this.#readAt(arrivesMs, deliver);
    else clock.at(arrivesMs, deliver);
  }

  /** Of several messages in one chunk, `ws` tells of the last before any promise of the first goes on; a browser does not. */
  #readAt(arrivesMs: number, deliver: () => void): void {
    if (this.#chunk.arrivesMs === arrivesMs) return void this.#chunk.deliveries.push(deliver);
    const deliveries = [deliver];
    this.#chunk = { arrivesMs, deliveries };
    this.#network.clock.at(arrivesMs, () => {
      // Nothing of them is to stay in memory.
      for (const each of deliveries.splice(0)) each();
    });
  }

  toClient(message: string | ArrayBuffer): void {
    this.carry('back', message, () => this.#client.receive(message));
  }

  /** One end has closed it. */
  closeFromServer(code: number, reason: string): void {
    this.#network.clock.after(CLOSE_LIMIT_MS, () => this.server?.ended(BROKEN, ''));
    this.carry('back', null, () => {
      this.#end(code, reason);
      this.carry('there', null, () => this.server?.ended(code, reason));
    });
  }

  closeFromClient(code: number, reason: string): void {
    this.carry('there', null, () => {
      this.server?.ended(code, reason);
      this.carry('back', null, () => this.#end(this.server === null ? BROKEN : code, reason));
    });
  }

  /** The server ends it without a word; all that it has sent still arrives. */
  terminate(): void {
    const { clock } = this.#network;
    this.cut({ clientLagMs: this.#ways.back(0) - clock.nowMs(), serverLagMs: 0, drains: true });
    // Also if it broke before, and the server has not learnt of that.
    clock.after(0, () => this.server?.ended(BROKEN, ''));
  }

  /** From now on nothing gets through that way, and nobody is told. */
  swallow(direction: Direction, { drains }: Pick<Cut, 'drains'>): void {
    const fromMs = drains ? this.#network.clock.nowMs() : 0;
    this.#lostFromMs[direction] = Math.min(this.#lostFromMs[direction], fromMs);
  }

  cut({ clientLagMs, serverLagMs, drains }: Cut): void {
    if (!this.#network.open.delete(this)) return;
    const { clock } = this.#network;
    for (const direction of ['there', 'back'] as const) this.swallow(direction, { drains });
    clock.after(clientLagMs, () => this.#client.ended(BROKEN, ''));
    clock.after(serverLagMs, () => this.server?.ended(BROKEN, ''));
  }

  /** A frame without content goes there and comes back, as long as nothing is lost. */
  ping(answered: () => void): void {
    const { clock } = this.#network;
    const { link, stalledUntilMs } = this.line;
    const { there, back } = stalledUntilMs ?? { there: 0, back: 0 };
    const afterMs = Math.max(0, there - clock.nowMs(), back - clock.nowMs());
    clock.after(afterMs + 2 * (link.oneWayDelayMs + link.jitterMs + TRANSIT_MS), () => {
      if (Object.values(this.#lostFromMs).every((ms) => ms === Number.POSITIVE_INFINITY)) answered();
    });
  }

  #end(code: number, reason: string): void {
    this.#network.open.delete(this);
    this.#client.ended(code, reason);
  }
}
