/**
 * A trial's servers, one or several, with what stands behind them: a store, and the ways between them. They are started, measured,
 * struck and ended as one.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SharingMeans } from '../../editors/base/framework.ts';
import { isStoreProgram } from '../../editors/base/stores.ts';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { makeTemporaryFolder } from '../../infra/process/made-once.ts';
import type { ServerFaultKind } from '../../results/formats/fault-records.ts';
import type { Backing } from '../../servers/server.ts';
import type { ServersWanted } from '../trial/servers-wanted.ts';
import type { ServerPlace } from './server-calls.ts';
import { ServerLinks } from './server-links.ts';
import { type Lasted, ServerProcess } from './server-process.ts';
import { type ServerSample, sumOf, together } from './server-sample.ts';
import { asBacking, BackingFailure, type StoreSample, TrialStore } from './trial-store.ts';

export interface DeploymentOptions extends ServersWanted {
  framework: string;
  /** How several of its servers share documents; absent or null: by nothing. */
  sharing?: SharingMeans | null;
  /** Temporary files of the servers go there; absent: where this process's do. */
  temporaryFolder?: string;
  /** Variables of the store's program, or of the servers if the store is a part of them. */
  environment?: Readonly<Record<string, string>>;
  /**
   * Is told if something ended unasked.
   *
   * @param how of a server: the end of a sentence after its name; of what stands behind them: a sentence
   */
  onEnded(how: string, of: 'server' | 'store'): void;
}

/** The costs of all servers together, and of what stands behind them. */
export interface DeploymentSample extends ServerSample {
  perServerCpuMs: (number | null)[];
  /** Null: there is none, or it cannot be read. */
  brokerCpuMs: number | null;
  /** Null: there is none. */
  store: StoreSample | null;
}

/** A place without what stands behind: that is the deployment's to know. */
type Place = Omit<ServerPlace, 'backing'>;

export class Deployment {
  readonly #options: DeploymentOptions;
  readonly #servers: ServerProcess[];
  /** Aborts what is still being opened. */
  readonly #givenUp = new AbortController();
  #opening: Promise<void> | null = null;
  #isOpen = false;
  /** Removed in the end. */
  #root: string | null = null;
  #store: TrialStore | null = null;
  #links: ServerLinks | null = null;

  /** Starts to load the servers at once. */
  constructor(options: DeploymentOptions) {
    const { framework, servers, store, environment, temporaryFolder } = options;
    const ofServers = {
      ...(temporaryFolder === undefined ? {} : { TMPDIR: temporaryFolder }),
      ...(isStoreProgram(store) ? {} : environment),
    };
    this.#options = options;
    this.#servers = Array.from(
      { length: servers },
      (_, index) => new ServerProcess(framework, (how) => void this.#tellEnd(index, how), ofServers),
    );
  }

  /** Where the store's files lie; null if there are none, or if it was not yet started. */
  get folder(): string | null {
    return this.#store === null ? null : this.#storeFolder;
  }

  /**
   * Starts the store, then the servers, one after the other: each is told of those before it.
   *
   * @param place of the first; the others have the ports after its, or any
   * @returns their ports, in their order
   * @throws BackingFailure if not they failed; Error if one cannot be loaded, or cannot listen there
   */
  async listen(place: Place): Promise<number[]> {
    this.#opening = asBacking(() => this.#open());
    await this.#opening;
    this.#isOpen = true;
    const ports: number[] = [];
    for (const [index, server] of this.#servers.entries()) {
      const backing = await asBacking(() => this.#backingOf(index, { ...place, ports }));
      const port = place.port === 0 ? 0 : place.port + index;
      ports.push(await this.#unlessFull(() => server.listen({ ...place, port, backing })));
    }
    return ports;
  }

  async sample(): Promise<DeploymentSample> {
    const readings = Promise.all(this.#servers.map((server) => server.sample()));
    const [samples, store] = await Promise.all([readings, this.#store?.sample() ?? null]);
    const perServerCpuMs = samples.map(({ cpuMs }) => cpuMs);
    return { ...together(samples), perServerCpuMs, brokerCpuMs: this.#links?.brokerCpuMs() ?? null, store };
  }

  /** A CPU profile of the first server, see `ServerProcess`. */
  profile(durationMs: number): Promise<string | null> {
    return this.#servers[0]!.profile(durationMs);
  }

  /** As `ServerProcess` says, of all together. */
  async memory(options: { isCollected: boolean }): Promise<{ bytes: number | null; peakBytes: number | null }> {
    const read = await Promise.all(this.#servers.map((server) => server.memory(options)));
    return { bytes: sumOf(read, ({ bytes }) => bytes), peakBytes: sumOf(read, ({ peakBytes }) => peakBytes) };
  }

  /**
   * Carries out a fault of a trial's schedule, now.
   *
   * @param options.which the server that it strikes, from 0; null: all of them
   * @throws BackingFailure if not a server failed; Error if one does not start again
   */
  strike(kind: ServerFaultKind, options: { untilMs: number; forMs: number; which: number | null }): Promise<Lasted> {
    const { untilMs, forMs, which } = options;
    const ways: Record<ServerFaultKind, () => Promise<Lasted>> = {
      'server-restart': () => this.restart(untilMs, which),
      'server-pause': () => this.pause(untilMs, which),
      'server-roll': () => this.roll(forMs),
      'server-apart': () => this.apart(untilMs, which),
      'store-restart': () => this.restartStore(untilMs),
      'broker-restart': () => this.restartBroker(untilMs),
    };
    return ways[kind]();
  }

  /** Kills servers now; others listen in their place from `untilMs` on. */
  restart(untilMs: number, which: number | null = null): Promise<Lasted> {
    return this.#each(which, (server) => server.restart(untilMs));
  }

  /** Stops servers as they are, until `untilMs`. */
  pause(untilMs: number, which: number | null = null): Promise<Lasted> {
    return this.#each(which, (server) => server.pause(untilMs));
  }

  /** Cuts all connections of servers now, which take none until `untilMs`. */
  drop(untilMs: number, which: number | null = null): Promise<Lasted> {
    return this.#each(which, (server) => server.drop(untilMs));
  }

  /** As a deploy: one server after the other ends in order, and another listens in its place `downMs` after it was told to end. */
  async roll(downMs: number): Promise<Lasted> {
    const beganMs = nowMs();
    for (const server of this.#servers) await this.#unlessFull(() => server.replace(nowMs() + downMs));
    return { beganMs, endedMs: nowMs() };
  }

  /** Cuts servers off from the others until `untilMs`: their connections break, and what is published meanwhile never gets there. */
  async apart(untilMs: number, which: number | null = null): Promise<Lasted> {
    const links = this.#theLinks;
    return lasting(untilMs, async () => {
      const ends = this.#struck(which).map((index) => links.cutOff(index));
      return async () => {
        for (const end of ends) end();
      };
    });
  }

  /** Kills the store's program now, which starts again over its files at `untilMs`. */
  async restartStore(untilMs: number): Promise<Lasted> {
    const store = this.#theStore;
    return lasting(untilMs, async () => {
      await store.kill();
      return () => store.startAgain();
    });
  }

  /** Kills the broker between the servers now, which starts again at `untilMs` and knows nothing. */
  async restartBroker(untilMs: number): Promise<Lasted> {
    const links = this.#theLinks;
    return lasting(untilMs, async () => {
      await links.killBroker();
      return () => links.startBrokerAgain();
    });
  }

  /** Kills all servers, and the store's program, as when their machine goes down. */
  async killAll(): Promise<void> {
    const store = this.#store?.isProgram ? this.#store.kill() : null;
    await Promise.all([store, ...this.#servers.map((server) => server.kill())]);
  }

  /** Starts what `killAll` ended, over the same files and at the same ports. */
  async startAgain(): Promise<void> {
    if (this.#store?.isProgram) await this.#store.startAgain();
    for (const server of this.#servers) await this.#unlessFull(() => server.startAgain());
  }

  /** The processes that write the store's files. */
  storePids(): number[] {
    if (this.#store?.isProgram) return this.#store.pids();
    return this.#servers.flatMap((server) => server.pids());
  }

  /** Ends all in order, or by force if that takes too long, and removes their files; resolves once all is gone. */
  async stop(): Promise<void> {
    if (!this.#isOpen) this.#givenUp.abort();
    await this.#opening?.catch(() => {});
    // They write out what they hold.
    await Promise.all(this.#servers.map((server) => server.stop()));
    const ends = await Promise.allSettled([this.#store?.stop(), this.#links?.stop()]);
    if (this.#root !== null) await rm(this.#root, { recursive: true, force: true, maxRetries: 3 });
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #open(): Promise<void> {
    const { servers: count, store: name, storeUrl: url, isReused, environment = {} } = this.#options;
    const sharing = count === 1 ? null : (this.#options.sharing ?? null);
    if (name === 'memory' && sharing === null) return;
    this.#root = await makeTemporaryFolder('store');
    const { signal } = this.#givenUp;
    const onLost = (why: string) => this.#options.onEnded(why, 'store');
    if (name !== 'memory') {
      const folder = this.#storeFolder;
      this.#store = await TrialStore.open({ name, url, isReused, folder, environment, signal, onLost });
    }
    if (sharing !== null) {
      const folder = join(this.#root, 'broker');
      const needsBroker = sharing.needsRedis === true;
      this.#links = await ServerLinks.open({ count, needsBroker, folder, signal, onLost });
    }
  }

  /** Undefined: a server is alone, and in memory. @param before where the servers before it listen */
  async #backingOf(index: number, before: Place & { ports: readonly number[] }): Promise<Backing | undefined> {
    if (this.#store === null && this.#links === null) return undefined;
    const { address: host, token, ports } = before;
    return {
      store: await this.#store?.placeFor(index),
      writeDelayMs: this.#options.writeDelayMs,
      together: await this.#links?.waysOf(index, { host, token, ports }),
    };
  }

  /** From the first that began to the last that ended. */
  async #each(which: number | null, strike: (server: ServerProcess) => Promise<Lasted>): Promise<Lasted> {
    const struck = this.#struck(which).map((index) => this.#unlessFull(() => strike(this.#servers[index]!)));
    const lasted = await Promise.all(struck);
    return {
      beganMs: Math.min(...lasted.map(({ beganMs }) => beganMs)),
      endedMs: Math.max(...lasted.map(({ endedMs }) => endedMs)),
    };
  }

  #struck(which: number | null): number[] {
    return which === null ? [...this.#servers.keys()] : [which];
  }

  async #tellEnd(index: number, how: string): Promise<void> {
    const full = (await this.#store?.fullDiskIn(how)) ?? null;
    if (full !== null) return this.#options.onEnded(full, 'store');
    // The store tells of its own end, which this one followed.
    if (this.#store?.isLost) return;
    const count = this.#servers.length;
    this.#options.onEnded(count === 1 ? how : `(server ${index + 1} of ${count}) ${how}`, 'server');
  }

  /** A server that fails because its disk is full did not fail by itself. */
  async #unlessFull<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      const full = (await this.#store?.fullDiskIn((error as Error).message)) ?? null;
      throw full === null ? error : new BackingFailure(full, { cause: error });
    }
  }

  get #storeFolder(): string {
    return join(this.#root!, 'store');
  }

  get #theStore(): TrialStore {
    if (this.#store === null) throw new BackingFailure('its documents are in memory; there is no store to be ended');
    return this.#store;
  }

  get #theLinks(): ServerLinks {
    if (this.#links === null) throw new BackingFailure('nothing connects its servers, which could be cut or ended');
    return this.#links;
  }
}

/** @param begin begins it, and returns its end */
async function lasting(untilMs: number, begin: () => Promise<() => Promise<void>>): Promise<Lasted> {
  const beganMs = nowMs();
  const end = await begin();
  await realTimer.until(untilMs);
  await end();
  return { beganMs, endedMs: nowMs() };
}
