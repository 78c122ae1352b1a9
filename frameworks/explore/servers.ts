/** The servers of a world: one, or several that tell each other of changes through a broker. They are started, killed and cut off here. */
import type { VirtualClock } from '../../infra/virtual/clock.ts';
import { type Connection, type Passage, VirtualNetwork } from '../../infra/virtual/network.ts';
import { serveRedis } from '../../infra/virtual/redis.ts';
import { NOWHERE } from '../../infra/virtual/tcp-socket.ts';
import type { Backing, Serve } from '../../servers/server.ts';
import { WorldLine } from './line.ts';
import { BROKER, type StepOf, serverName, serverOf, type World } from './world.ts';

/** Behind the seeds of users' lines. */
const SEEDS_FROM = 64;
/** The broker's address, as one process of a server knows it. */
const BROKER_HOST = /^broker-(\d+)-(\d+)$/;

interface Server {
  network: VirtualNetwork;
  /** To the broker. */
  line: WorldLine;
  /** The number of its process; null: it was killed. */
  process: number | null;
  end: ReturnType<Serve>;
}

interface Surroundings {
  clock: VirtualClock;
  serve: Serve;
  /** The line of a user, by its address. */
  lineOf(url: URL): WorldLine | null;
  onPassage(passage: Passage): void;
}

type Of<Kind extends 'restart' | 'apart' | 'broker'> = Omit<StepOf<Kind>, 'do' | 'atMs'>;

export class WorldServers {
  readonly #world: World;
  readonly #clock: VirtualClock;
  readonly #serve: Serve;
  readonly #servers: Server[];
  readonly #broker: VirtualNetwork;
  /** How a server, or the broker, that is down starts again. */
  readonly #pending = new Map<VirtualNetwork, () => void>();
  #processes = 0;

  constructor(world: World, { clock, serve, lineOf, onPassage }: Surroundings) {
    this.#world = world;
    this.#clock = clock;
    this.#serve = serve;
    this.#servers = (world.servers ?? [{ delayMs: 0, jitterMs: 0 }]).map((link, index) => {
      const of = { seed: world.seed + SEEDS_FROM + index, near: serverName(world, index), far: BROKER };
      return { network: new VirtualNetwork(clock, lineOf), line: new WorldLine(link, of), process: null, end: null };
    });
    this.#broker = new VirtualNetwork(clock, ({ hostname }) => this.#servers[Number(indexIn(hostname))]!.line);
    for (const network of [...this.#networks, this.#broker]) network.onPassage = onPassage;
  }

  start(): void {
    if (this.#world.servers !== undefined) serveRedis(this.#broker);
    for (const index of this.#servers.keys()) this.#startOne(index);
  }

  get #networks(): VirtualNetwork[] {
    return this.#servers.map(({ network }) => network);
  }

  networkOf(user: number): VirtualNetwork {
    return this.#servers[serverOf(this.#world, user)]!.network;
  }

  /** The number of connections of users that servers hold. */
  get held(): number {
    return this.#networks.reduce((sum, { connections }) => sum + (connections?.clients.size ?? 0), 0);
  }

  /** Those on this line that neither ended nor broke. */
  connectionsOf(line: WorldLine): Connection[] {
    return [...this.#networks, this.#broker].flatMap(({ open }) => [...open].filter((each) => each.line === line));
  }

  /** The network in which a process of these servers finds that host; null: the host is not the broker. */
  brokerAt(host: string): VirtualNetwork | typeof NOWHERE | null {
    const [, index, process] = BROKER_HOST.exec(host) ?? [];
    if (index === undefined) return null;
    return this.#servers[Number(index)]!.process === Number(process) ? this.#broker : NOWHERE;
  }

  /** Kills a server, and starts it again. */
  restart({ server: index = 0, forMs, ...cut }: Of<'restart'>): void {
    const server = this.#servers[index]!;
    server.network.crash(cut);
    // Its process never learns of it, and says nothing more.
    const never = { clientLagMs: Number.POSITIVE_INFINITY, serverLagMs: cut.clientLagMs, drains: cut.drains };
    for (const connection of this.connectionsOf(server.line)) connection.cut(never);
    // Of several, a process that is gone fails nobody by what its library says when it is asked to clear up.
    if (this.#world.servers === undefined) this.#end(server);
    server.process = null;
    this.#startAfter(forMs, server.network, () => this.#startOne(index));
  }

  /** Cuts a server off from the broker. */
  apart({ server: index, forMs, lagMs, brokerLagMs, drains }: Of<'apart'>): void {
    const { line } = this.#servers[index]!;
    const mend = line.goDown();
    const cut = { clientLagMs: lagMs, serverLagMs: brokerLagMs, drains };
    for (const connection of this.connectionsOf(line)) connection.cut(cut);
    this.#clock.at(this.#clock.nowMs() + forMs, mend);
  }

  restartBroker({ forMs, lagMs, drains }: Of<'broker'>): void {
    this.#broker.crash({ clientLagMs: lagMs, drains });
    this.#startAfter(forMs, this.#broker, () => serveRedis(this.#broker));
  }

  end(): void {
    for (const server of this.#servers) this.#end(server);
  }

  #startOne(index: number): void {
    const server = this.#servers[index]!;
    server.process = this.#processes++;
    server.end = this.#serve(server.network.listen(), this.#backingOf(index, server.process));
  }

  #backingOf(index: number, process: number): Backing | undefined {
    const { servers } = this.#world;
    if (servers === undefined) return undefined;
    const redis = `redis://broker-${index}-${process}:6379`;
    return { writeDelayMs: 0, together: { index, count: servers.length, redis, peers: [] } };
  }

  /** A process that is gone tells nothing; here its library is asked to clear up, so that its timers end. */
  #end(server: Server): void {
    const { end } = server;
    server.process = null;
    server.end = null;
    (async () => end?.())().catch(() => {});
  }

  /** A server that is killed again meanwhile is started once, by the last. */
  #startAfter(ms: number, network: VirtualNetwork, start: () => void): void {
    this.#pending.get(network)?.();
    this.#pending.set(network, this.#clock.at(this.#clock.nowMs() + ms, start));
  }
}

function indexIn(host: string): string {
  return BROKER_HOST.exec(host)![1]!;
}
