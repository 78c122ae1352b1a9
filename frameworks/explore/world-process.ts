/** Answers to the calls of `explore.ts`, in a process that `main.ts` has readied. */
import { registerHooks } from 'node:module';
import { setInterval } from 'node:timers';
import { answerCalls, newsTo } from '../../infra/process/answers.ts';
import { webSocketOf } from '../../infra/virtual/client-socket.ts';
import type { Passage } from '../../infra/virtual/network.ts';
import { replaceTcp } from '../../infra/virtual/tcp-socket.ts';
import { messageOf } from '../../results/user-error.ts';
import type { FrameworkServer } from '../../servers/server.ts';
import type { Loadable } from '../framework.ts';
import { type Cause, causeOf } from './causes.ts';
import { drawWorld, type WorldSize } from './draw.ts';
import { type Broken, type Played, playWorld } from './play.ts';
import { type Shrunk, shrinkFailure } from './shrink.ts';
import { currentStage, type Halves, type Stage } from './stage.ts';
import { type Told, tell } from './story.ts';
import { traceLine } from './trace.ts';
import { markOf, ONE_IN_MEMORY, type World, type WorldBacking } from './world.ts';

export interface PlayOrder {
  /** The first seed, and how many at most. */
  from: number;
  count: number;
  /** No world begins after so much real time. */
  limitMs: number;
  size?: WorldSize;
  /** Worlds that fail because of these are only counted. */
  causes: readonly Cause[];
}

/** Of worlds that were played. */
export interface Sums {
  worlds: number;
  steps: number;
  messages: number;
  virtualMs: number;
  /** How many worlds were played twice, and how many of them were the same both times. */
  repeats: { tried: number; same: number };
}

export interface Batch extends Sums {
  /** How many failed of each cause. */
  explained: number[];
  /** The last one failed, of another cause. */
  failed: { world: World; broken: Broken } | null;
  tookMs: number;
  memoryMiB: number;
}

export type Replayed = Played & {
  told: Told;
  /** A line for each message, if they were asked for. */
  trace: string[];
  /** The place of the cause by which it failed; -1: it held, or failed by another. */
  cause: number;
};

export interface ReplayOrder {
  /** True: each message is told, too. */
  isTraced?: boolean;
  /** Those that are known. */
  causes?: readonly Cause[];
}

export type WorldCalls = {
  /**
   * Before all others.
   *
   * @param backing of all worlds that are drawn; absent: one server, in memory
   * @returns why the framework cannot be explored, in a sentence; null if it can
   */
  load(framework: Loadable, backing?: WorldBacking): Promise<string | null>;
  play(order: PlayOrder): Promise<Batch>;
  replay(world: World, options?: ReplayOrder): Promise<Replayed>;
  shrink(world: World, broken: Broken, causes: readonly Cause[]): Promise<Shrunk>;
};

export interface WorldNews {
  /** The next world of a batch. */
  begins: null;
  /** Each second, unless the process never rests. */
  lives: null;
}

type LoadHalves = (framework: Loadable) => Promise<Pick<Halves, 'client'> & { server: FrameworkServer }>;

const SHRINK_LIMIT_MS = 60_000;
/** One world of so many is played twice. */
const REPEATED_EVERY = 32;
const LIVES_EVERY_MS = 1000;
const sendNews = newsTo<WorldNews>();
const NEAR = { delayMs: 1, jitterMs: 0 };
/** Two users, one edit and no fault: loads all that the library loads late. */
const FIRST_WORLD: World = {
  seed: 0,
  users: [0, 1].map(() => ({ ...NEAR, receiveMs: 0, sendMs: 0, joinsMs: 0 })),
  steps: [{ do: 'insert', atMs: 0, user: 0, place: 0, text: markOf(0), bold: false }],
};

export function answerWorlds(loadHalves: LoadHalves): void {
  readyProcess();
  let halves: Halves;
  let backing: WorldBacking;
  answerCalls<WorldCalls>({
    async load(framework, behind = ONE_IN_MEMORY) {
      backing = behind;
      const { client, server } = await loadHalves(framework);
      const { serve } = server;
      if (serve === undefined) return 'its server is a program of its own, which no virtual clock reaches';
      halves = { client, serve };
      return whyNotVirtual(halves, {
        ...FIRST_WORLD,
        servers: backing.servers === 1 ? undefined : Array.from({ length: backing.servers }, () => NEAR),
        store: backing.hasStore ? { delayMs: NEAR.delayMs } : undefined,
      });
    },
    play: (order) => playSeeds(order, halves, backing),
    async replay(world, { isTraced = false, causes = [] } = {}) {
      let told: Told;
      let passages: readonly Passage[] = [];
      const onEnd = (stage: Stage, broken: Broken | null) => {
        told = tell(stage, broken);
        if (isTraced) passages = [...stage.passages];
      };
      const played = await playWorld(halves, world, { onEnd });
      const { decode } = halves.client(0);
      const trace = await Promise.all(passages.map((passage) => traceLine(passage, played.virtualMs, decode)));
      const { broken } = played;
      const play = (without: World) => failureOf(halves, without);
      const cause = broken === null ? -1 : await causeOf(world, { broken, causes, play });
      return { ...played, told: told!, trace, cause };
    },
    async shrink(world, broken, causes) {
      const untilMs = realNowMs() + SHRINK_LIMIT_MS;
      const play = async (smaller: World) => (realNowMs() < untilMs ? failureOf(halves, smaller) : null);
      const shrunk = await shrinkFailure(world, { broken, causes, play });
      return { ...shrunk, isSmallest: shrunk.isSmallest && realNowMs() < untilMs };
    },
  });
}

/** Sockets, errors and output of libraries, for good. */
function readyProcess(): void {
  // In real time, which is that of Node's module.
  setInterval(() => sendNews('lives', null), LIVES_EVERY_MS).unref();
  globalThis.WebSocket = webSocketOf((url) => currentStage()!.networkOf(url));
  replaceTcp((host) => currentStage()?.servers.networkAt(host) ?? null);
  // A package by which libraries get a WebSocket in Node.
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'isomorphic-ws'
        ? { url: 'data:text/javascript,export default globalThis.WebSocket', shortCircuit: true }
        : next(specifier, context),
  });
  const noteThrown = (error: unknown) => currentStage()?.thrown.push(error);
  process.on('unhandledRejection', noteThrown);
  process.on('uncaughtException', noteThrown);
  const quiet = () => {};
  const error = (...printed: unknown[]) => {
    const [thrown] = printed.filter((each) => each instanceof Error);
    if (thrown !== undefined) noteThrown(thrown);
  };
  Object.assign(console, { log: quiet, info: quiet, debug: quiet, warn: quiet, error });
}

/** Real time and real sockets are nothing that a seed repeats. */
async function whyNotVirtual(halves: Halves, world: World): Promise<string | null> {
  let resources: string[] = [];
  try {
    const onEnd = () => {
      resources = process.getActiveResourcesInfo();
    };
    await playWorld(halves, world, { isPatient: true, onEnd });
  } catch (error) {
    return messageOf(error);
  }
  if (resources.some((name) => /^(TCP|UDP)/.test(name)))
    return 'it opens sockets of its own, which no virtual clock reaches';
  if (resources.includes('Timeout')) return 'it uses real time, behind the back of the virtual clock';
  return null;
}

/** Plays a world only to see how it fails; null: it does not. */
async function failureOf(halves: Halves, world: World): Promise<Broken | null> {
  return (await playWorld(halves, world, { hasDigest: false })).broken;
}

async function playSeeds(
  { from, count, limitMs, size, causes }: PlayOrder,
  halves: Halves,
  backing: WorldBacking,
): Promise<Batch> {
  const sums: Sums = { worlds: 0, steps: 0, messages: 0, virtualMs: 0, repeats: { tried: 0, same: 0 } };
  const batch: Batch = { ...sums, explained: causes.map(() => 0), failed: null, tookMs: 0, memoryMiB: 0 };
  const fromMs = realNowMs();
  for (let seed = from; seed < from + count && realNowMs() < fromMs + limitMs && batch.failed === null; seed++) {
    const world = drawWorld(seed, { size, ...backing });
    sendNews('begins', null);
    const hasDigest = seed % REPEATED_EVERY === 1;
    const { broken, digest, messages, virtualMs } = await playWorld(halves, world, { hasDigest });
    batch.worlds++;
    batch.steps += world.steps.length;
    batch.messages += messages;
    batch.virtualMs += virtualMs;
    if (hasDigest) {
      batch.repeats.tried++;
      if ((await playWorld(halves, world, { hasDigest })).digest === digest) batch.repeats.same++;
    }
    if (broken === null) continue;
    const cause = await causeOf(world, { broken, causes, play: (without) => failureOf(halves, without) });
    if (cause === -1) batch.failed = { world, broken };
    else batch.explained[cause]!++;
  }
  batch.tookMs = realNowMs() - fromMs;
  batch.memoryMiB = process.memoryUsage().rss / 2 ** 20;
  return batch;
}

function realNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
