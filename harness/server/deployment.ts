/**
 * A trial's servers, one or several, with what stands behind them: a store, and the ways between them. They are started, measured,
 * struck and ended as one.
 */
import { join } from 'node:path';
import type { SharingMeans } from '../../editors/base/framework.ts';
import { isStoreProgram } from '../../editors/base/stores.ts';
import { nowMs, realTimer } from '../../infra/clock.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../infra/process/made-once.ts';
import type { StoreProgram } from '../../infra/stores/program.ts';
import type { ServerFaultKind } from '../../results/formats/fault-records.ts';
import type { Backing } from '../../servers/server.ts';
import type { ServersWanted } from '../trial/servers-wanted.ts';
import { asBacking, BackingFailure } from './backing-failure.ts';
import type { ServerPlace } from './server-calls.ts';
import { openServerLinks, type ServerLinks } from './server-links.ts';
import { ServerProcess } from './server-process.ts';
import { type ServerSample, sumOf, together } from './server-sample.ts';
import { openTrialStore, type StoreSample, type TrialStore } from './trial-store.ts';

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
  /** Null: there is none here, or it cannot be read. */
  brokerCpuMs: number | null;
  /** Null: there is none. */
  store: StoreSample | null;
}

const NOT_THERE = 'what stands behind its servers cannot be had';

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
    const ofServers = isStoreProgram(store) ? {} : environment;
    const variables = temporaryFolder === undefined ? { ...ofServers } : { TMPDIR: temporaryFolder, ...ofServers };
    this.#options = options;
    this.#servers = Array.from(
      { length: servers },
      (_, index) => new ServerProcess(framework, (how) => void this.#tellEnd(index, how), variables),
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
    this.#opening = asBacking(NOT_THERE, () => this.#open());
    await this.#opening;
    this.#isOpen = true;
    const ports: number[] = [];
    for (const [index, server] of this.#servers.entries()) {
      const backing = await asBacking(NOT_THERE, () => this.#backingOf(index, { ...place, ports }));
      const port = place.port === 0 ? 0 : place.port + index;
      ports.push(await this.#unlessFull(() => server.listen({ ...place, port, backing })));
    }
    return ports;
  }

  async sample(): Promise<DeploymentSample> {
    const readings = Promise.all(this.#servers.map((server) => server.sample()));
    const [samples, store] = await Promise.all([readings, this.#store?.sample() ?? null]);
    const perServerCpuMs = samples.map(({ cpuMs }) => cpuMs);
    const sample = together(samples, this.#links?.betweenServers());
    return { ...sample, perServerCpuMs, brokerCpuMs: this.#links?.brokerCpuMs() ?? null, store };
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
   * @returns when it began, and when it was over
   * @throws BackingFailure if not a server failed; Error if one does not start again
   */
  async strike(
    kind: ServerFaultKind,
    { untilMs, forMs, which }: { untilMs: number; forMs: number; which: number | null },
  ): Promise<{ beganMs: number; endedMs: number }> {
    const ways: Record<ServerFaultKind, () => Promise<void>> = {
      'server-restart': () => this.restart(untilMs, which),
      'server-pause': () => this.#each((server) => server.pause(untilMs), which),
      'server-roll': () => this.roll(forMs),
      'server-apart': () => this.#cutOff(untilMs, which),
      'store-restart': () => this.restartStore(untilMs),
      'broker-restart': () => this.#restartProgram('broker', untilMs),
    };
    const beganMs = nowMs();
    await ways[kind]();
    return { beganMs, endedMs: nowMs() };
  }

  /** Kills servers now; others listen in their place from `untilMs` on. */
  restart(untilMs: number, which: number | null = null): Promise<void> {
    return this.#each((server) => server.restart(untilMs), which);
  }

  /** Cuts all connections of servers now, which take none until `untilMs`. */
  drop(untilMs: number): Promise<void> {
    return this.#each((server) => server.drop(untilMs));
  }

  /** As a deploy: one server after the other ends in order, and another listens in its place `downMs` after it was told to end. */
  async roll(downMs: number): Promise<void> {
    for (const server of this.#servers) await this.#unlessFull(() => server.replace(nowMs() + downMs));
  }

  /** Kills the store's program now, which starts again over its files at `untilMs`. */
  restartStore(untilMs: number): Promise<void> {
    return this.#restartProgram('store', untilMs);
  }

  /** Kills all servers, and the store's program, as when their machine goes down. */
  async killAll(): Promise<void> {
    await Promise.all([this.#store?.program?.kill(), ...this.#servers.map((server) => server.kill())]);
  }

  /** Starts what `killAll` ended, over the same files and at the same ports. */
  async startAgain(): Promise<void> {
    await this.#startProgram('store');
    for (const server of this.#servers) await this.#unlessFull(() => server.startAgain());
  }

  /** Ends all in order, or by force if that takes too long, and removes their files; resolves once all is gone. */
  async stop(): Promise<void> {
    if (!this.#isOpen) this.#givenUp.abort();
    await this.#opening?.catch(() => {});
    // They write out what they hold.
    await Promise.all(this.#servers.map((server) => server.stop()));
    const ends = await Promise.allSettled([this.#store?.stop(), this.#links?.stop()]);
    if (this.#root !== null) await removeTemporaryFolder(this.#root);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #open(): Promise<void> {
    const { servers: count, store: name, storeUrl: url, brokerUrl, isReused, owner, environment = {} } = this.#options;
    const sharing = count === 1 ? null : (this.#options.sharing ?? null);
    if (name === 'memory' && sharing === null) return;
    this.#root = await makeTemporaryFolder('store');
    const given = { isReused, owner, signal: this.#givenUp.signal };
    const onLost = (why: string) => this.#options.onEnded(why, 'store');
    if (name !== 'memory') {
      this.#store = await openTrialStore({ ...given, name, url, folder: this.#storeFolder, environment, onLost });
    }
    if (sharing !== null) {
      const needsBroker = sharing.needsRedis === true;
      this.#links = await openServerLinks({
        ...given,
        count,
        needsBroker,
        brokerUrl,
        folder: join(this.#root, 'broker'),
      });
    }
    for (const each of ['store', 'broker'] as const) {
      const { program, label } = this.#behind(each);
      program?.ended.then((how) => onLost(`${label} ${how}`));
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

  async #each(strike: (server: ServerProcess) => Promise<void>, which: number | null = null): Promise<void> {
    const struck = which === null ? this.#servers : [this.#servers[which]!];
    await Promise.all(struck.map((server) => this.#unlessFull(() => strike(server))));
  }

  /** Cuts servers off from the others until `untilMs`: their connections break, and what is published meanwhile never gets there. */
  async #cutOff(untilMs: number, which: number | null): Promise<void> {
    const links = this.#links;
    if (links === null) throw new BackingFailure('nothing connects its servers, which could be cut');
    const struck = which === null ? [...this.#servers.keys()] : [which];
    const ends = struck.map((index) => links.cutOff(index));
    await realTimer.until(untilMs);
    for (const end of ends) end();
  }

  /** `label` begins sentences about it. */
  #behind(of: 'store' | 'broker'): { program: StoreProgram | null; label: string } {
    return of === 'store'
      ? { program: this.#store?.program ?? null, label: `${this.#options.store}, its store,` }
      : { program: this.#links?.broker ?? null, label: 'the redis between its servers' };
  }

  async #restartProgram(of: 'store' | 'broker', untilMs: number): Promise<void> {
    const { program, label } = this.#behind(of);
    if (program === null) {
      throw new BackingFailure(`${label} is no program that the trial started, and cannot be ended by itself`);
    }
    await program.kill();
    await realTimer.until(untilMs);
    await this.#startProgram(of);
  }

  async #startProgram(of: 'store' | 'broker'): Promise<void> {
    const { program, label } = this.#behind(of);
    await asBacking(`${label} does not start again`, async () => program?.start());
  }

  async #tellEnd(index: number, how: string): Promise<void> {
    const full = (await this.#store?.fullDiskIn(how)) ?? null;
    if (full !== null) return this.#options.onEnded(full, 'store');
    // The store tells of its own end, which this one followed.
    if (this.#store?.program?.isLost) return;
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
}
