/**
 * The servers of a world: one, or several that tell each other of changes, by a broker or by connections of their own. They are
 * started, killed and cut off here.
 */
import type { VirtualClock } from '../../infra/virtual/clock.ts';
import { type Connection, type Passage, VirtualNetwork } from '../../infra/virtual/network.ts';
import { serveRedis } from '../../infra/virtual/redis.ts';
import { createVirtualStore, type VirtualStore } from '../../infra/virtual/store.ts';
import type { Backing, Serve } from '../../servers/server.ts';
import { createLine, type WorldLine } from './line.ts';
import { BROKER, MOST_SERVERS, type StepOf, serverName, serverOf, serversOf, type World } from './world.ts';

/** Behind the seeds of users' lines. */
const SEEDS_FROM = 64;
/** An address as one process of a server knows it: the server, the process, and which of its lines leads there. */
const ADDRESS = /^server-(\d+)-(\d+)-(\d+)$/;

interface Server {
  network: VirtualNetwork;
  /** To the broker, and to each server before this one. */
  lines: WorldLine[];
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

export class WorldServers {
  readonly #world: World;
  readonly #clock: VirtualClock;
  readonly #serve: Serve;
  readonly #servers: Server[];
  /** Between all servers. */
  readonly #lines: WorldLine[];
  readonly #broker: VirtualNetwork;
  /** Of the servers, and the broker's. */
  readonly #networks: VirtualNetwork[];
  /** Where processes that are gone find all others. */
  readonly #nowhere: VirtualNetwork;
  readonly #store: VirtualStore | null;
  /** How a server, or the broker, that is down starts again. */
  readonly #pending = new Map<VirtualNetwork, () => void>();
  #processes = 0;

  constructor(world: World, { clock, serve, lineOf, onPassage }: Surroundings) {
    this.#world = world;
    this.#clock = clock;
    this.#serve = serve;
    const lineTo = (url: URL) => this.#lineAt(url.hostname) ?? lineOf(url);
    this.#servers = serversOf(world).map((_, index) => ({
      network: new VirtualNetwork(clock, lineTo),
      lines: linesOf(world, index),
      process: null,
      end: null,
    }));
    this.#lines = this.#servers.flatMap(({ lines }) => lines);
    this.#broker = new VirtualNetwork(clock, lineTo);
    this.#networks = [...this.#servers.map(({ network }) => network), this.#broker];
    for (const network of this.#networks) network.onPassage = onPassage;
    this.#nowhere = new VirtualNetwork(clock, lineTo);
    this.#nowhere.isSilent = true;
    this.#store = world.store === undefined ? null : createVirtualStore(clock, world.store.delayMs);
  }

  start(): void {
    if (this.#world.servers !== undefined) serveRedis(this.#broker);
    for (const index of this.#servers.keys()) this.#startOne(index);
  }

  networkOf(user: number): VirtualNetwork {
    return this.#servers[serverOf(this.#world, user)]!.network;
  }

  /** The number of connections of users that servers hold. */
  get held(): number {
    const sockets = this.#networks.flatMap(({ connections }) => [...(connections?.clients ?? [])]);
    return sockets.filter(({ line }) => this.#lines.every((between) => between !== line)).length;
  }

  /** Some libraries need none. */
  get haveBroker(): boolean {
    return this.#broker.isUsed;
  }

  /** Those on this line that neither ended nor broke. */
  connectionsOf(line: WorldLine): Connection[] {
    return this.#networks.flatMap(({ open }) => [...open].filter((each) => each.line === line));
  }

  #lineAt(host: string): WorldLine | null {
    const [, index, , line] = ADDRESS.exec(host) ?? [];
    return this.#servers[Number(index)]?.lines[Number(line)] ?? null;
  }

  /** The network in which a process of these servers finds that host; null: the host is neither another server nor the broker. */
  networkAt(host: string): VirtualNetwork | null {
    const [, index, process, line] = ADDRESS.exec(host) ?? [];
    if (index === undefined) return null;
    if (this.#servers[Number(index)]!.process !== Number(process)) return this.#nowhere;
    return line === '0' ? this.#broker : this.#servers[Number(line) - 1]!.network;
  }

  /** Kills a server, and starts it again. */
  restart({ server: index = 0, forMs, ...cut }: StepOf<'restart'>): void {
    const server = this.#servers[index]!;
    server.network.crash(cut);
    // Its process never learns of it, and says nothing more.
    const never = { clientLagMs: Number.POSITIVE_INFINITY, serverLagMs: cut.clientLagMs, drains: cut.drains };
    for (const line of server.lines) for (const connection of this.connectionsOf(line)) connection.cut(never);
    // A process with others or a store behind it fails nobody by what its library says when it is asked to clear up.
    if (this.#world.servers === undefined && this.#store === null) this.#end(server);
    server.process = null;
    this.#startAfter(forMs, server.network, () => this.#startOne(index));
  }

  /** Cuts a server off from the others, and from the broker. */
  apart({ server: index, forMs, lagMs, brokerLagMs, drains }: StepOf<'apart'>): void {
    const name = serverName(this.#world, index);
    for (const line of this.#lines.filter(({ near, far }) => near === name || far === name)) {
      const [clientLagMs, serverLagMs] = line.near === name ? [lagMs, brokerLagMs] : [brokerLagMs, lagMs];
      const mend = line.goDown();
      for (const connection of this.connectionsOf(line)) connection.cut({ clientLagMs, serverLagMs, drains });
      this.#clock.after(forMs, mend);
    }
  }

  restartBroker({ forMs, lagMs, drains }: StepOf<'broker'>): void {
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

  /** Undefined: it is alone, in memory. A framework takes of it the parts that it needs. */
  #backingOf(index: number, process: number): Backing | undefined {
    const { servers } = this.#world;
    if (servers === undefined && this.#store === null) return undefined;
    const ask = this.#store?.askedBy(() => this.#servers[index]!.process === process);
    const [broker, ...others] = this.#servers[index]!.lines.map((_, line) => `server-${index}-${process}-${line}`);
    const redis = `redis://${broker}:6379`;
    const peers = others.map((other) => `ws://${other}`);
    return {
      writeDelayMs: 0,
      store: ask && { name: 'stand-in', ask },
      together: servers && { index, count: servers.length, redis, peers },
    };
  }

  /** A process that is gone tells nothing; here its library is asked to clear up, so that its timers end. */
  #end(server: Server): void {
    const { end } = server;
    server.end = null;
    (async () => end?.())().catch(() => {});
  }

  /** A server that is killed again meanwhile is started once, by the last. */
  #startAfter(ms: number, network: VirtualNetwork, start: () => void): void {
    this.#pending.get(network)?.();
    this.#pending.set(network, this.#clock.after(ms, start));
  }
}

/** The lines of a server to the broker, and to each server before it. */
function linesOf(world: World, index: number): WorldLine[] {
  const { seed } = world;
  const links = serversOf(world);
  const near = serverName(world, index);
  const own = links[index]!;
  const toPeers = links.slice(0, index).map((peer, target) => {
    const link = { delayMs: own.delayMs + peer.delayMs, jitterMs: own.jitterMs + peer.jitterMs };
    const of = { seed: seed + SEEDS_FROM + MOST_SERVERS * (index + 1) + target, near, far: serverName(world, target) };
    return createLine(link, of);
  });
  return [createLine(own, { seed: seed + SEEDS_FROM + index, near, far: BROKER }), ...toPeers];
}
