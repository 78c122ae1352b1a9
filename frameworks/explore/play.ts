/** Plays a world to its end, and says which invariant it breaks. */
import { canonicalDelta } from '../../editors/base/delta.ts';
import { sha256Of } from '../../results/formats/digest.ts';
import { perform } from './acts.ts';
import { heldAfterRounds } from './held.ts';
import { INVARIANTS, type Moment, REST_MS, type Seen, whatIsApart } from './invariants.ts';
import { type Halves, Stage } from './stage.ts';
import { markOf, type World } from './world.ts';

export interface Broken {
  invariant: string;
  text: string;
}

export interface Played {
  /** Null: all invariants hold. */
  broken: Broken | null;
  /** Of each message's direction and instants, and of the end: equal for equal histories. Empty if nobody asked. */
  digest: string;
  virtualMs: number;
  messages: number;
}

/** In virtual time. */
const JOIN_LIMIT_MS = 60_000;
/** Users have twice as long to agree, and are looked at after one second, two, four and so on. */
const SETTLE_LIMIT_MS = 64_000;
/** Pauses between the attempts of clients to come back are up to so long. */
const LONGEST_PAUSE_MS = 30_000;
const NEWCOMER_STEP_MS = 5000;
/** In one world of so many, since collecting garbage takes as long as several worlds. */
const HELD_EVERY = 64;

interface PlayOptions {
  /** Sees the stage before it is cleared. */
  onEnd?: (stage: Stage, broken: Broken | null) => void;
  /** True: who joins may take real time, as a library that is loaded for the first time. */
  isPatient?: boolean;
  /** False: nobody compares this history with another. */
  hasDigest?: boolean;
}

export async function playWorld(halves: Halves, world: World, options: PlayOptions = {}): Promise<Played> {
  const stage = new Stage(halves, world);
  const seen: Seen = { restMessages: 0, saved: null, held: [] };
  const broken = await playOn(stage, seen, options).catch((error) => {
    stage.thrown.push(error);
    return brokenAt('always', stage, seen);
  });
  options.onEnd?.(stage, broken);
  const digest = options.hasDigest === false ? '' : digestOf(stage);
  const played = { broken, digest, virtualMs: stage.clock.nowMs() };
  await clear(stage);
  return { ...played, messages: stage.passages.length };
}

async function playOn(stage: Stage, seen: Seen, { isPatient = false }: PlayOptions): Promise<Broken | null> {
  const judge = (moment: Moment) => brokenAt(moment, stage, seen);
  await joinFirst(stage, isPatient);
  const startMs = stage.clock.nowMs();
  const acts = [
    ...stage.world.steps.map((step) => ({ atMs: step.atMs, act: () => perform(stage, step) })),
    ...stage.world.users.flatMap(({ joinsMs }, user) =>
      joinsMs > 0 ? [{ atMs: joinsMs, act: () => stage.joinAfter(0, user) }] : [],
    ),
  ].sort((a, b) => a.atMs - b.atMs);
  for (const { atMs, act } of acts) {
    await stage.advance(startMs + atMs);
    if (stage.isOver) return judge('always');
    act();
  }
  await settle(stage);
  const early = judge('settled');
  if (early !== null) return early;
  await stage.advance(stage.clock.nowMs() + LONGEST_PAUSE_MS);
  const before = stage.passages.length;
  await stage.advance(stage.clock.nowMs() + REST_MS);
  seen.restMessages = stage.passages.length - before;
  const rested = judge('rested');
  if (rested !== null) return rested;
  seen.restMessages = 0;
  await letNewcomerIn(stage);
  seen.saved = await savedState(stage);
  const late = judge('late');
  if (late !== null || stage.world.seed % HELD_EVERY !== HELD_EVERY / 2) return late;
  seen.held = await heldAfterRounds(stage);
  return judge('long after');
}

function brokenAt(moment: Moment, stage: Stage, seen: Seen): Broken | null {
  for (const { id, at, broken } of INVARIANTS) {
    const text = at.includes(moment) ? broken(stage, seen) : null;
    if (text !== null) return { invariant: id, text };
  }
  return null;
}

async function joinFirst(stage: Stage, isPatient: boolean): Promise<void> {
  for (const [user, { joinsMs }] of stage.world.users.entries()) if (joinsMs === 0) stage.join(user);
  for (let waits = 0; isPatient && waits < REAL_WAITS && !stage.isComplete; waits++) {
    await stage.advance(stage.clock.nowMs() + 1);
    await stage.clock.idle();
  }
  await untilJoined(stage);
}

async function untilJoined(stage: Stage): Promise<void> {
  const limitMs = stage.clock.nowMs() + JOIN_LIMIT_MS;
  for (let stepMs = 1; !stage.isComplete && !stage.isOver && stage.clock.nowMs() < limitMs; stepMs *= 2) {
    await stage.advance(stage.clock.nowMs() + Math.min(stepMs, 1000));
  }
}

async function settle(stage: Stage): Promise<void> {
  const faultyUntilMs = Math.max(...stage.users.map(({ line }) => line.faultyUntilMs));
  await stage.advance(Math.max(stage.clock.nowMs(), faultyUntilMs));
  const isSettled = () => stage.isComplete && whatIsApart(stage) === null;
  for (let waitMs = 1000; waitMs <= SETTLE_LIMIT_MS && !stage.isOver; waitMs *= 2) {
    await stage.advance(stage.clock.nowMs() + waitMs);
    if (!stage.isOver && isSettled()) return;
  }
}

/** Somebody joins; then one who was there types, and the newcomer, too. */
async function letNewcomerIn(stage: Stage): Promise<void> {
  const newcomer = stage.join(stage.world.users.length);
  await untilJoined(stage);
  for (const user of newcomer.isHere ? new Set([stage.here[0]!, newcomer]) : []) {
    const text = markOf(LAST_MARK + user.number);
    perform(stage, { do: 'insert', atMs: 0, user: user.number, place: 1, text, bold: false });
    await stage.advance(stage.clock.nowMs() + NEWCOMER_STEP_MS);
  }
}

/** Behind all that worlds are drawn with. */
const LAST_MARK = 6300;
/** A library may take real time to load a state. */
const REAL_WAITS = 5000;

/** The document that the saved state of somebody holds; null: the framework has no way to load one. */
async function savedState(stage: Stage): Promise<string | null> {
  const [user] = stage.here;
  if (user === undefined || stage.isOver) return null;
  const client = stage.halves.client(user.number);
  if (client.load === undefined) return null;
  let saved: string | null = null;
  (async () => client.load!(user.replica!.save()))().then(
    (delta) => {
      saved = JSON.stringify(canonicalDelta(delta).ops);
    },
    (error) => stage.thrown.push(error),
  );
  for (let waits = 0; saved === null && stage.thrown.length === 0 && waits < REAL_WAITS; waits++) {
    await (waits < 2 ? Promise.resolve() : stage.clock.idle());
  }
  return saved ?? 'nothing';
}

function digestOf({ passages, notes, here }: Stage): string {
  const lines = passages.map(({ direction, sentMs, arrivesMs }) => `${direction} ${sentMs} ${arrivesMs}`);
  const held = here.map((user) => {
    try {
      return user.contents();
    } catch {
      return 'nothing';
    }
  });
  return sha256Of([...lines, ...notes.map(({ atMs, text }) => `${atMs} ${text}`), ...held].join('\n')).slice(0, 16);
}

/** Lets users and server go; their timers are of a clock that stands still from now on. */
async function clear(stage: Stage): Promise<void> {
  for (const { replica } of stage.here) (async () => replica!.leave())().catch(() => {});
  stage.servers.end();
  // Errors of that come within a few turns, and are nobody's.
  for (let turn = 0; turn < 3; turn++) await stage.clock.turn();
}
