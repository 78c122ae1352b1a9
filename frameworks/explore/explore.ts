/**
 * Explores frameworks: plays worlds on all cores until one fails, shrinks it in a fresh process, and goes on. A failure whose
 * cause is known is only counted.
 */
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Framework } from '../framework.ts';
import { type Cause, causeKinds, failsAlike, knownCausesOf, reasonOf } from './causes.ts';
import { drawWorld, type WorldSize } from './draw.ts';
import { backingFor, NotExplored, readyBacking } from './explorable.ts';
import type { Broken } from './play.ts';
import { type PlayBatch, type Player, PlayerLost, type PlayerOptions, type UnderWay, withPlayer } from './player.ts';
import type { Told } from './story.ts';
import { ONE_IN_MEMORY, serversOf, type World, type WorldBacking } from './world.ts';
import type { Batch, Replayed, ReplayOrder, Sums } from './world-process.ts';

const BATCH = { worlds: 64, limitMs: 2000 };
/** A framework with so many is not explored any further. */
const MOST_FINDINGS = 5;
/** Libraries may keep things; then a fresh process goes on. */
const MOST_MEMORY_MIB = 1200;
/** So many processes, one after another, that end before they play a world are no chance. */
const MOST_LOST = 3;
const SAY_EVERY_MS = 10_000;
/** Seeds beyond are no numbers of 32 bits. */
export const LARGEST_SEED = 2 ** 31 - 1;

export interface WorldFinding {
  framework: string;
  frameworkVersion: string;
  /** The smallest found. */
  world: World;
  /** Behind the users of the world that it shrank from: without it, its seed is that of another. */
  backing: WorldBacking;
  broken: Broken;
  /** It does not break without these, if it could not be smaller. */
  after: readonly string[];
  /** How many worlds failed so. */
  count: number;
  /** False: another process, or a second play, went another way. */
  repeats: boolean;
  told: Told;
}

export interface Explored extends Sums {
  framework: string;
  version: string;
  /** Why it was not explored; null: it was. */
  why: string | null;
  /** To play them, without what failures took to be looked at: the mean of the processes. */
  tookMs: number;
  /** The first seed that nobody has played, nor any after it. */
  nextSeed: number;
  findings: WorldFinding[];
  /** How many worlds failed of each known issue, by its summary. */
  known: Map<string, number>;
}

export interface ExploreOptions extends Omit<PlayerOptions, 'backing'> {
  /** The first seed. */
  seed: number;
  /** Of each framework; both absent: without end. */
  worlds?: number;
  forMs?: number;
  size?: WorldSize;
  /** Absent: one server, in memory. */
  backing?: WorldBacking;
  say: (text: string) => void;
  onFinding: (finding: WorldFinding) => Promise<void>;
  /** The number of processes that play; for tests and benches. */
  processes?: number;
}

/** @throws the signal's reason; PlayerLost if processes end, one after another, that play no world */
export async function explore(framework: Framework, options: ExploreOptions): Promise<Explored> {
  const backing = backingFor(framework.about, options.backing ?? ONE_IN_MEMORY);
  const exploration = new Exploration(framework, { ...options, backing });
  try {
    await readyBacking(framework, backing, options.say);
    await exploration.run();
  } catch (error) {
    if (!(error instanceof NotExplored)) throw error;
    exploration.explored.why = error.why;
  }
  return exploration.explored;
}

interface KnownCause {
  cause: Cause;
  /** Of a known issue its summary. */
  of: WorldFinding | string;
}

class Exploration {
  readonly explored: Explored;
  readonly #framework: Framework;
  readonly #options: ExploreOptions & PlayerOptions;
  readonly #causes: KnownCause[];
  readonly #processes: number;
  readonly #batchWorlds: number;
  /** Seeds that nobody has played. */
  readonly #ranges: { from: number; count: number }[];
  /** When the first process could play. */
  #startMs = Number.POSITIVE_INFINITY;
  #saidMs = performance.now();
  /** One after the other: each writes the same file. */
  #keeping = Promise.resolve();

  constructor(framework: Framework, options: ExploreOptions & PlayerOptions) {
    const { name, version, about } = framework;
    this.#framework = framework;
    this.#options = options;
    this.#causes = knownCausesOf(about).map(({ summary, ...cause }) => ({ cause, of: summary }));
    const count = Math.min(options.worlds ?? LARGEST_SEED, LARGEST_SEED - options.seed + 1);
    this.#ranges = [{ from: options.seed, count }];
    this.#processes = Math.min(options.processes ?? availableParallelism(), count);
    // A few worlds are for all processes, too.
    this.#batchWorlds = Math.min(BATCH.worlds, Math.ceil(count / this.#processes));
    const sums: Sums = { worlds: 0, steps: 0, messages: 0, virtualMs: 0, repeats: { tried: 0, same: 0 } };
    const none = { why: null, tookMs: 0, nextSeed: options.seed, findings: [], known: new Map() };
    this.explored = { framework: name, version, ...sums, ...none };
  }

  async run(): Promise<void> {
    const ended = await Promise.allSettled(Array.from({ length: this.#processes }, () => this.#work()));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  }

  /** One process after another, until all is over. */
  async #work(): Promise<void> {
    for (let lost = 0; !this.#isOver; ) {
      try {
        await withPlayer(this.#framework, this.#options, (_, playBatch) => this.#playBatches(playBatch));
      } catch (error) {
        if (!(error instanceof PlayerLost)) throw error;
        const { how, underWay, answered } = error;
        lost = answered > 0 || underWay?.begun ? 0 : lost + 1;
        if (lost === MOST_LOST) throw error;
        if (underWay !== null) await this.#investigateLoss(how, underWay);
      }
    }
  }

  /** A world ended its process: what it did is not known, and it cannot shrink. If none had begun, none is to blame. */
  async #investigateLoss(how: string, { from, count, begun }: UnderWay): Promise<void> {
    const { explored } = this;
    // Nobody answers for those before it in its batch, which held or failed by a known cause.
    explored.worlds += begun;
    this.#putBack(from + begun, count - begun);
    if (begun === 0) return;
    const broken = { invariant: 'sound', text: `the process that played it ${how}` };
    const same = explored.findings.find(({ broken: { text } }) => text === broken.text);
    if (same !== undefined) {
      same.count++;
      return;
    }
    const { size, backing } = this.#options;
    const world = drawWorld(from + begun - 1, { size, ...backing });
    const again = await withPlayer(this.#framework, this.#options, (player) => player.call('replay', world)).then(
      () => null,
      (error) => error,
    );
    const isLostAgain = again instanceof PlayerLost;
    if (again !== null && !isLostAgain && !this.#options.signal.aborted) throw again;
    await this.#keep(this.#untold(world, broken, isLostAgain));
  }

  /** Of a world whose process is gone nobody can tell. */
  #untold(world: World, broken: Broken, repeats: boolean): WorldFinding {
    const told = { story: [`${broken.invariant}: ${broken.text}`], diagram: { names: [], notes: [], messages: [] } };
    return this.#findingOf(world, { broken, repeats, told });
  }

  #findingOf(world: World, of: Pick<WorldFinding, 'broken' | 'repeats' | 'told'>): WorldFinding {
    const { framework, version: frameworkVersion } = this.explored;
    const { backing } = this.#options;
    return { framework, frameworkVersion, world, backing, after: causeKinds(world), count: 1, ...of };
  }

  async #keep(finding: WorldFinding): Promise<void> {
    this.explored.findings.push(finding);
    this.#keeping = this.#keeping.then(() => this.#options.onFinding(finding));
    await this.#keeping;
  }

  get #isOver(): boolean {
    const { forMs = Number.POSITIVE_INFINITY } = this.#options;
    const isLate = performance.now() - this.#startMs >= forMs;
    return isLate || this.#ranges.length === 0 || this.explored.findings.length >= MOST_FINDINGS;
  }

  async #playBatches(playBatch: PlayBatch): Promise<void> {
    this.#startMs = Math.min(this.#startMs, performance.now());
    for (let memoryMiB = 0; memoryMiB <= MOST_MEMORY_MIB && !this.#isOver; ) {
      const { from, count: left } = this.#ranges.shift()!;
      const count = Math.min(this.#batchWorlds, left);
      this.explored.nextSeed = Math.max(this.explored.nextSeed, from + count);
      this.#putBack(from + count, left - count);
      const { size } = this.#options;
      const causes = this.#causes.map(({ cause }) => cause);
      const batch = await playBatch({ from, count, limitMs: BATCH.limitMs, size, causes });
      this.#putBack(from + batch.worlds, count - batch.worlds);
      this.#take(batch);
      if (batch.failed !== null) await this.#investigate(batch.failed);
      memoryMiB = batch.memoryMiB;
    }
  }

  #putBack(from: number, count: number): void {
    if (count > 0) this.#ranges.unshift({ from, count });
  }

  #take(batch: Batch): void {
    const { explored } = this;
    for (const name of ['worlds', 'steps', 'messages', 'virtualMs'] as const) explored[name] += batch[name];
    explored.tookMs += batch.tookMs / this.#processes;
    explored.repeats.tried += batch.repeats.tried;
    explored.repeats.same += batch.repeats.same;
    for (const [place, count] of batch.explained.entries()) this.#count(this.#causes[place]!, count);
    if (performance.now() - this.#saidMs < SAY_EVERY_MS) return;
    this.#saidMs = performance.now();
    this.#options.say(`${explored.framework}: ${explored.worlds} worlds, ${explored.findings.length} findings`);
  }

  #count({ of }: KnownCause, count: number): void {
    if (typeof of !== 'string') of.count += count;
    else if (count > 0) this.explored.known.set(of, (this.explored.known.get(of) ?? 0) + count);
  }

  /** In a fresh process, so that nothing of earlier worlds is in it. */
  async #investigate(failed: NonNullable<Batch['failed']>): Promise<void> {
    const { world, broken } = failed;
    const found = await withPlayer(this.#framework, this.#options, (player) =>
      this.#causeOrFinding(failed, player),
    ).catch((error): Found => {
      // Its seed is told all the same.
      const { aborted } = this.#options.signal;
      if (!aborted && !(error instanceof PlayerLost)) throw error;
      const why = aborted ? 'it was not shrunk: interrupted' : `the process that was to shrink it ${error.how}`;
      const text = `${broken.text}; ${why}`;
      return { finding: this.#untold(world, { ...broken, text }, false), isSmallest: false };
    });
    if (typeof found === 'number') return this.#count(this.#causes[found]!, 1);
    const { finding, isSmallest } = found;
    // One that could be smaller, or does not repeat, may need none of the kinds that it holds: it excuses nothing.
    const isCause = finding.repeats && isSmallest;
    // Another process may have found it meanwhile.
    const alike = this.explored.findings.find(
      (each) =>
        this.#causes.some(({ of }) => of === each) === isCause &&
        isDeepStrictEqual(each.after, finding.after) &&
        failsAlike(each.broken, finding.broken),
    );
    if (alike) {
      alike.count++;
      return;
    }
    if (isCause) {
      const { after, broken } = finding;
      const cause: Cause = { invariants: [broken.invariant], after, says: reasonOf(broken), needsAll: true };
      this.#causes.push({ cause, of: finding });
    }
    await this.#keep(finding);
  }

  /** @returns the place of a cause that is known, or what was found */
  async #causeOrFinding({ world, broken }: NonNullable<Batch['failed']>, player: Player): Promise<Found> {
    const causes = this.#causes.map(({ cause }) => cause);
    const first = await player.call('replay', world, { causes });
    if (first.cause !== -1) return first.cause;
    const { world: smallest, isSmallest } =
      first.broken === null ? { world, isSmallest: false } : await player.call('shrink', world, first.broken, causes);
    const [once, twice] = [await player.call('replay', smallest), await player.call('replay', smallest)];
    const finding = this.#findingOf(smallest, {
      broken: once.broken ?? twice.broken ?? { ...broken, text: `${broken.text}; in a fresh process it held` },
      repeats: once.broken !== null && once.digest === twice.digest,
      told: (once.broken === null ? twice : once).told,
    });
    return { finding, isSmallest };
  }
}

/** The place of a cause that is known, or what was found. */
type Found = number | { finding: WorldFinding; isSmallest: boolean };

interface ReplayOptions extends ReplayOrder, Omit<PlayerOptions, 'backing'> {
  say?: ExploreOptions['say'];
}

/**
 * In a process of its own.
 *
 * @throws NotExplored; PlayerLost if the world ends that process; the signal's reason
 */
export async function replayWorld(
  framework: Framework,
  world: World,
  { say, isTraced, causes, ...options }: ReplayOptions,
): Promise<Replayed> {
  const backing = { servers: serversOf(world).length, hasStore: world.store !== undefined };
  await readyBacking(framework, backing, say);
  return withPlayer(framework, { ...options, backing }, (player) => player.call('replay', world, { isTraced, causes }));
}
