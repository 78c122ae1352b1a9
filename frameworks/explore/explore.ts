/**
 * Explores frameworks: plays worlds on all cores until one fails, shrinks it in a fresh process, and goes on. A failure whose
 * cause is known is only counted.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CalledProcess } from '../../infra/process/calls.ts';
import type { Framework } from '../framework.ts';
import { type Cause, causeKinds, explains, knownCausesOf } from './causes.ts';
import type { WorldSize } from './draw.ts';
import { backingFor, readyBacking, whyNotExplored } from './explorable.ts';
import type { Broken } from './play.ts';
import type { Told } from './story.ts';
import { backingOf, ONE_IN_MEMORY, type World, type WorldBacking } from './world.ts';
import type { Batch, Replayed, WorldCalls } from './world-process.ts';

const ENTRY = join(import.meta.dirname, 'main.ts');
const BATCH = { worlds: 64, limitMs: 2000 };
/** A framework with so many is not explored any further. */
const MOST_FINDINGS = 5;
/** Libraries may keep things; then a fresh process goes on. */
const MOST_MEMORY_MIB = 1200;
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
  /** It does not break without these. */
  after: readonly string[];
  /** How many worlds failed so. */
  count: number;
  /** False: another process, or a second play, went another way. */
  repeats: boolean;
  told: Told;
}

export interface Explored {
  framework: string;
  version: string;
  /** Why it was not explored; null: it was. */
  why: string | null;
  worlds: number;
  steps: number;
  messages: number;
  virtualMs: number;
  tookMs: number;
  repeats: { tried: number; same: number };
  findings: WorldFinding[];
  /** How many worlds failed of each known issue, by its summary. */
  known: Map<string, number>;
}

export interface ExploreOptions {
  /** The first seed. */
  seed: number;
  /** Of each framework; both absent: without end. */
  worlds?: number;
  forMs?: number;
  size?: WorldSize;
  /** Absent: one server, in memory. */
  backing?: WorldBacking;
  signal: AbortSignal;
  say: (text: string) => void;
  onFinding: (finding: WorldFinding) => Promise<void>;
  /** The program of the processes that play, and their number; for tests and benches. */
  entry?: string;
  processes?: number;
  nodeOptions?: readonly string[];
}

/** @throws the signal's reason; Error if a process that plays ends */
export async function explore(framework: Framework, options: ExploreOptions): Promise<Explored> {
  const backing = backingFor(framework.about, options.backing ?? ONE_IN_MEMORY);
  const exploration = new Exploration(framework, { ...options, backing });
  const why = whyNotExplored(framework.about, backing);
  if (why !== null) return { ...exploration.explored, why };
  await readyBacking(framework, backing, options.say);
  return exploration.run();
}

type BackedOptions = ExploreOptions & { backing: WorldBacking };
type KnownCause = Cause & { summary: string; finding: WorldFinding | null };

class Exploration {
  readonly explored: Explored;
  readonly #framework: Framework;
  readonly #options: BackedOptions;
  readonly #causes: KnownCause[];
  readonly #processes: number;
  readonly #batchWorlds: number;
  /** Seeds that nobody has played. */
  readonly #ranges: { from: number; count: number }[];
  /** When the first process could play. */
  #startMs = Number.POSITIVE_INFINITY;
  #saidMs = performance.now();

  constructor(framework: Framework, options: BackedOptions) {
    this.#framework = framework;
    this.#options = options;
    this.#causes = knownCausesOf(framework.about).map((cause) => ({ ...cause, finding: null }));
    const count = Math.min(options.worlds ?? LARGEST_SEED, LARGEST_SEED - options.seed);
    this.#ranges = [{ from: options.seed, count }];
    this.#processes = options.processes ?? availableParallelism();
    // A few worlds are for all processes, too.
    this.#batchWorlds = Math.min(BATCH.worlds, Math.ceil(count / this.#processes));
    this.explored = {
      ...{ framework: framework.name, version: framework.version, why: null, tookMs: 0, worlds: 0, steps: 0 },
      ...{ messages: 0, virtualMs: 0, repeats: { tried: 0, same: 0 }, findings: [], known: new Map() },
    };
  }

  async run(): Promise<Explored> {
    const ended = await Promise.allSettled(Array.from({ length: this.#processes }, () => this.#work()));
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
    this.explored.tookMs = performance.now() - this.#startMs;
    return this.explored;
  }

  async #work(): Promise<void> {
    let player = await this.#openPlayer();
    try {
      for (let range = this.#nextRange(); range !== null; range = this.#nextRange()) {
        const { size, backing } = this.#options;
        const causes = this.#causes.map(({ summary: _summary, finding: _finding, ...cause }) => cause);
        const order = { ...range, limitMs: BATCH.limitMs, size, backing, causes };
        const batch = await player!.call('play', order);
        this.#take(batch);
        if (batch.worlds < range.count) {
          this.#ranges.unshift({ from: range.from + batch.worlds, count: range.count - batch.worlds });
        }
        if (batch.failed !== null) await this.#investigate(batch.failed.world);
        if (batch.memoryMiB > MOST_MEMORY_MIB) {
          await player!.end();
          player = await this.#openPlayer();
        }
      }
    } finally {
      await player?.end();
    }
  }

  /** @returns null if the framework cannot be explored */
  async #openPlayer(): Promise<CalledProcess<WorldCalls> | null> {
    const { entry = ENTRY, signal, nodeOptions, backing } = this.#options;
    const player = new CalledProcess<WorldCalls>({ entry, signal, nodeOptions });
    const { name, kind, client, server } = this.#framework;
    try {
      this.explored.why ??= await player.call('load', { name, kind, client, server }, backing);
      this.#startMs = Math.min(this.#startMs, performance.now());
    } catch (error) {
      await player.end();
      throw error;
    }
    return player;
  }

  #nextRange(): { from: number; count: number } | null {
    const { forMs = Number.POSITIVE_INFINITY, say } = this.#options;
    const { worlds, findings, why, framework } = this.explored;
    const nowMs = performance.now();
    if (nowMs - this.#saidMs > SAY_EVERY_MS) {
      this.#saidMs = nowMs;
      say(`${framework}: ${worlds} worlds, ${findings.length} findings`);
    }
    const [first] = this.#ranges;
    const isOver = nowMs - this.#startMs >= forMs || findings.length >= MOST_FINDINGS;
    if (why !== null || first === undefined || isOver) return null;
    const count = Math.min(this.#batchWorlds, first.count);
    if (count === first.count) this.#ranges.shift();
    else this.#ranges[0] = { from: first.from + count, count: first.count - count };
    return { from: first.from, count };
  }

  #take(batch: Batch): void {
    const { explored } = this;
    for (const name of ['worlds', 'steps', 'messages', 'virtualMs'] as const) explored[name] += batch[name];
    explored.repeats.tried += batch.repeats.tried;
    explored.repeats.same += batch.repeats.same;
    for (const [place, count] of batch.explained.entries()) this.#count(this.#causes[place]!, count);
  }

  #count({ finding, summary }: KnownCause, count: number): void {
    if (finding !== null) finding.count += count;
    else if (count > 0) this.explored.known.set(summary, (this.explored.known.get(summary) ?? 0) + count);
  }

  /** In a fresh process, so that nothing of earlier worlds is in it. */
  async #investigate(world: World): Promise<void> {
    const player = (await this.#openPlayer())!;
    try {
      const first = await player.call('replay', world);
      const smallest = first.broken === null ? world : await player.call('shrink', world, first.broken.invariant);
      const [once, twice] = [await player.call('replay', smallest), await player.call('replay', smallest)];
      const broken = once.broken ?? twice.broken ?? { invariant: 'sound', text: 'it failed, and does not fail again' };
      const after = causeKinds(smallest);
      const same = this.#causes.find((cause) =>
        cause.finding === null
          ? explains(cause, smallest, broken)
          : cause.invariants.includes(broken.invariant) && cause.after.join() === after.join(),
      );
      if (same !== undefined) return this.#count(same, 1);
      const { name: framework, version: frameworkVersion } = this.#framework;
      const repeats = once.broken !== null && once.digest === twice.digest;
      const of = { framework, frameworkVersion, backing: this.#options.backing, count: 1, repeats, told: once.told };
      const finding = { ...of, world: smallest, broken, after };
      this.explored.findings.push(finding);
      this.#causes.push({ invariants: [broken.invariant], after, summary: broken.text, finding });
      await this.#options.onFinding(finding);
    } finally {
      await player.end();
    }
  }
}

/** @returns the outcome of each world; `why` if the framework is not explored. @throws as `explore` does */
export async function replayWorlds(
  framework: Framework,
  worlds: readonly World[],
  { signal, say, entry = ENTRY }: Pick<ExploreOptions, 'signal' | 'entry'> & Partial<Pick<ExploreOptions, 'say'>>,
): Promise<{ why: string | null; replayed: Replayed[] }> {
  const backing = backingOf(worlds);
  const whyNot = whyNotExplored(framework.about, backing);
  if (whyNot !== null) return { why: whyNot, replayed: [] };
  await readyBacking(framework, backing, say);
  const player = new CalledProcess<WorldCalls>({ entry, signal });
  try {
    const { name, kind, client, server } = framework;
    const why = await player.call('load', { name, kind, client, server }, backing);
    const replayed: Replayed[] = [];
    for (const world of why === null ? worlds : []) replayed.push(await player.call('replay', world));
    return { why, replayed };
  } finally {
    await player.end();
  }
}
