/**
 * Draws worlds from seeds. Intensities are drawn, too, and each world leaves some kinds of things out (swarm testing): a bug
 * may need many of one kind and none of another.
 *
 * @see Groce et al. 2012, "Swarm Testing"
 */
import * as prng from 'lib0/prng';
import { BLOCK_FORMATS, INLINE_FORMATS } from '../../editors/base/editor.ts';
import {
  EDITS,
  markOf,
  ONE_IN_MEMORY,
  SERVERS_FAULTS,
  type Step,
  type StepOf,
  serversOf,
  USUAL_FAULTS,
  type World,
  type WorldBacking,
  type WorldKind,
  type WorldUser,
  writtenMsOf,
} from './world.ts';

/** For benches, whose worlds are to be alike. */
export interface WorldSize {
  users: number;
  /** Of all users together. */
  edits: number;
}

/** Edits as often as users make them. */
const EDIT_MIX = ['insert', 'insert', 'insert', 'insert', 'delete', 'delete', 'format', 'line', 'undo'] as const;
/** Odds that a world has a kind of thing at all. */
const EDIT_ODDS = 0.7;
const FAULT_ODDS = 0.35;
/** Odds that who reloads keeps its state. */
const KEEPS_ODDS = 0.5;
const PASTED = 'A pasted paragraph has many words,\nand a second line. '.repeat(6);
const TEXTS = ['', '', 'a', 'word ', '\n', '😀', 'e\u0301', 'שלום', '👩‍👧', 'two\nlines', PASTED];
/** RFC 6455's registry: going away, restart, try again later. */
const CLOSE_CODES = [1001, 1012, 1013];
/** The first pause of a client that reconnects is as long: what follows a break so soon meets the handshake, or the catching up. */
const SOON_MS = 400;
const HOUR_MS = 3_600_000;
/** Has stalls drawn from other numbers than the rest. */
const STALL_BITS = 0x55555555;
/** Longer than most time-outs, after which clients connect again while the server still gets what they sent before. */
const LONG_STALL_MS = 40_000;
/** Longer than the time-outs of libraries and relay. */
const LONG_ABSENCES_MS = [35_000, 70_000, 1.1 * HOUR_MS];
/** Odds that the users of one server only watch: who types tells the others what the own server lacks, and so mends it. */
const WATCHED_ODDS = 0.5;
/** With pauses in which a server that is behind stays so: the next edit, by whomever, has all compare what they hold. */
const SLOWER = [1, 5, 20];
/** With a store, some worlds have a night: all leave, and come back to what it holds. It begins so long after the last edit. */
const NIGHT_AFTER_MS = [100, 2000, 6000, 20_000];
/** The server may be killed before all is written, or so long after. */
const KILLED_AFTER_MS = { early: [100, 3000], late: 5000 };
/** Users come back so long after that. */
const MORNING_MS = 20_000;
/** Of a server and the broker. Libraries give up what waits for longer: that is theirs to say, and no bug. */
const APART_MS = [50, 400, 3000];

/**
 * @param seed a whole number; the same one draws the same world in every process
 * @param options.servers that share the document; with several, or with a store, more may happen
 */
export function drawWorld(seed: number, options: { size?: WorldSize } & Partial<WorldBacking> = {}): World {
  const { size, servers, hasStore, writtenMs } = { ...ONE_IN_MEMORY, ...options };
  const draw = new Draw(seed);
  const has = new Map<WorldKind, boolean>();
  for (const kind of EDITS) if (kind !== 'insert') has.set(kind, draw.odds(EDIT_ODDS));
  for (const kind of USUAL_FAULTS) has.set(kind, draw.odds(FAULT_ODDS));
  const count = size?.users ?? draw.oneOf([2, 2, 2, 3, 3, 3, 4, 5, 8]);
  const spanMs = draw.whole(800, 4000);
  const users = Array.from({ length: count }, (_, user) => drawUser(draw, has.get('join')! && user > 1 ? spanMs : 0));
  const edits = drawEdits(draw, { count, spanMs, has, size });
  const faults = users.flatMap((_, user) => drawFaultsOf(user, draw, { spanMs, has, isLast: user === count - 1 }));
  const stalls = drawStalls(count, seed, spanMs);
  const steps = [...edits, ...faults, ...drawFaultsOfAll(draw, { spanMs, has }), ...stalls].sort(
    (a, b) => a.atMs - b.atMs,
  );
  // Everybody pauses, for longer than some time-out.
  const all = draw.odds(0.05) ? shifted(steps, draw.ms(spanMs), draw.oneOf(LONG_ABSENCES_MS)) : steps;
  const world = { seed, users, steps: withKeptStates(all, seed) };
  // Last, so that the rest is the same with one server in memory.
  const shared = servers === 1 ? world : withServers(world, draw, { servers, spanMs, has });
  return hasStore ? withStore(shared, draw, writtenMs) : shared;
}

const isEdit = (step: Step): step is StepOf<(typeof EDITS)[number]> => EDITS.some((kind) => kind === step.do);

class Draw {
  readonly #generator: prng.PRNG;
  constructor(seed: number) {
    // Neighbouring seeds would begin alike, and that of 0 gives nothing but 0.
    this.#generator = prng.create(Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1);
  }
  /** In [0, 1). */
  share = () => prng.real53(this.#generator);
  odds = (share: number) => this.share() < share;
  /** Both ends included. */
  whole = (least: number, most: number) => least + Math.floor(this.share() * (most - least + 1));
  ms = (most: number) => Math.round(this.share() * most * 1000) / 1000;
  oneOf = <T>(list: readonly T[]): T => list[Math.floor(this.share() * list.length)]!;
}

interface Drawn {
  spanMs: number;
  has: ReadonlyMap<WorldKind, boolean>;
}

function drawUser(draw: Draw, latestMs: number): WorldUser {
  return {
    delayMs: draw.oneOf([0, 5, 20, 80, 250]),
    jitterMs: draw.oneOf([0, 0, 10, 100]),
    receiveMs: draw.oneOf([0, 0, 50]),
    sendMs: draw.oneOf([0, 0, 30, 300]),
    joinsMs: latestMs > 0 && draw.odds(0.5) ? draw.ms(latestMs) : 0,
  };
}

/** Where users type: anywhere, at one place, in one word, or at the ends. A share of the document. */
function drawPlaces(draw: Draw): () => number {
  const centre = draw.share();
  const near = (reach: number) => () => Math.min(1, Math.max(0, centre + reach * (draw.share() - 0.5)));
  const anywhere = () => draw.share();
  return draw.oneOf([
    anywhere,
    anywhere,
    near(0),
    near(0.1),
    () => draw.oneOf([0, 1]),
    () => draw.oneOf([0, 0.5, draw.share()]),
  ]);
}

function drawEdits(draw: Draw, { count, spanMs, has, size }: Drawn & { count: number; size?: WorldSize }): Step[] {
  const pauseMs = draw.oneOf([1, 20, 80, 200, 500]);
  const place = drawPlaces(draw);
  const most = size === undefined ? draw.whole(3, 40) : Math.ceil(size.edits / count);
  const steps: Step[] = [];
  let marks = 0;
  for (let user = 0; user < count; user++) {
    let atMs = draw.ms(pauseMs);
    for (let edit = 0; edit < most && (size !== undefined || atMs < spanMs); edit++) {
      steps.push(drawEdit(draw, { atMs, user, place: place(), has, mark: markOf(marks++) }));
      atMs += draw.ms(2 * pauseMs);
    }
  }
  return steps;
}

function drawEdit(
  draw: Draw,
  { has, mark, ...of }: { atMs: number; user: number; place: number; has: Drawn['has']; mark: string },
): Step {
  const kind = draw.oneOf(EDIT_MIX);
  if (!has.get(kind)) return { do: 'insert', ...of, text: mark + draw.oneOf(TEXTS), bold: draw.odds(0.2) };
  if (kind === 'delete') return { do: kind, ...of, length: draw.whole(1, draw.oneOf([3, 12, 200])) };
  if (kind === 'format') {
    return { do: kind, ...of, length: draw.whole(1, 20), name: draw.oneOf(INLINE_FORMATS), value: draw.odds(0.7) };
  }
  if (kind === 'line') {
    const { name, value } = draw.oneOf(BLOCK_FORMATS);
    return { do: kind, ...of, name, value: draw.odds(0.7) ? value : false };
  }
  const { place: _, ...who } = of;
  return { do: 'undo', ...who };
}

function drawFaultsOf(user: number, draw: Draw, { spanMs, has, isLast }: Drawn & { isLast: boolean }): Step[] {
  const at = () => ({ atMs: draw.ms(spanMs), user });
  const steps: Step[] = [];
  if (has.get('cut')) steps.push(...drawCuts(user, draw, spanMs));
  if (has.get('close'))
    while (draw.odds(0.4) && steps.length < 10) steps.push({ do: 'close', ...at(), code: draw.oneOf(CLOSE_CODES) });
  if (has.get('reload') && draw.odds(0.3)) steps.push({ do: 'reload', ...at(), forMs: draw.oneOf([0, 50, 1000]) });
  // Somebody stays, who knows what there was.
  if (user === 0) return steps;
  if (has.get('leave') && draw.odds(0.3)) steps.push({ do: 'leave', ...at() });
  if (has.get('crash') && isLast) steps.push({ do: 'crash', ...at(), serverLagMs: draw.oneOf([0, 1000, 100_000]) });
  return steps;
}

/** Drawn apart: all else is as it would be without. */
function withKeptStates(steps: readonly Step[], seed: number): Step[] {
  const draw = new Draw(~seed);
  return steps.map((step): Step => {
    return step.do === 'reload' && draw.odds(KEEPS_ODDS) ? { ...step, keeps: true } : step;
  });
}

/** Drawn apart, as kept states are. */
function drawStalls(count: number, seed: number, spanMs: number): Step[] {
  const draw = new Draw(seed ^ STALL_BITS);
  if (!draw.odds(FAULT_ODDS)) return [];
  return Array.from({ length: count }, (_, user) => {
    const steps: Step[] = [];
    let atMs = draw.ms(spanMs);
    while (atMs < 2 * spanMs && draw.odds(0.5)) {
      const forMs = draw.odds(0.1) ? LONG_STALL_MS : draw.oneOf([20, 200, 1000, 5000]);
      steps.push({ do: 'stall', atMs, user, holds: draw.oneOf(['there', 'back', 'both']), forMs });
      atMs += forMs + draw.ms(spanMs);
    }
    return steps;
  }).flat();
}

function drawCuts(user: number, draw: Draw, spanMs: number): Step[] {
  const steps: Step[] = [];
  let atMs = draw.ms(spanMs);
  while (atMs < 2 * spanMs && draw.odds(0.6)) {
    const forMs = draw.odds(0.05) ? draw.oneOf(LONG_ABSENCES_MS) : draw.oneOf([0, 1, 50, 400, 3000]);
    const swallowMs = draw.odds(0.4) ? draw.whole(1, 800) : 0;
    steps.push({
      do: 'cut',
      atMs,
      user,
      swallowMs,
      forMs,
      drains: draw.odds(0.5),
      swallows: draw.oneOf(['there', 'back', 'both']),
      clientLagMs: draw.oneOf([0, 0, 1, 300, 8000]),
      serverLagMs: draw.oneOf([0, 0, 5, 1500, 8000, 100_000]),
    });
    atMs += swallowMs + (draw.odds(0.5) ? forMs + draw.ms(SOON_MS) : draw.ms(spanMs));
  }
  return steps;
}

function drawFaultsOfAll(draw: Draw, { spanMs, has }: Drawn): Step[] {
  const steps: Step[] = [];
  const restart = { do: 'restart', drains: draw.odds(0.5), clientLagMs: draw.oneOf([0, 0, 1, 2000]) } as const;
  while (has.get('restart') && draw.odds(0.6) && steps.length < 3) {
    steps.push({ ...restart, atMs: draw.ms(spanMs), forMs: draw.oneOf([0, 50, 1000]) });
  }
  if (has.get('jump'))
    steps.push({ do: 'jump', atMs: draw.ms(spanMs), byMs: draw.oneOf([-HOUR_MS, -1000, 1000, HOUR_MS]) });
  return steps;
}

/** Some insertions replace text: what goes and what comes are to be seen together at every server. */
function withServers(world: World, draw: Draw, { servers, spanMs, has }: Drawn & { servers: number }): World {
  const replaces = has.get('delete')! ? 0.4 : 0;
  const server = () => draw.whole(0, servers - 1);
  const watched = draw.odds(WATCHED_ODDS) ? server() : null;
  const slower = draw.oneOf(SLOWER);
  const typed = world.steps.filter((step) => !isEdit(step) || step.user % servers !== watched);
  const steps = typed.map((step): Step => {
    const atMs = slower * step.atMs;
    if (step.do === 'restart') return { ...step, atMs, server: server() };
    if (step.do !== 'insert' || !draw.odds(replaces)) return { ...step, atMs };
    return { ...step, atMs, over: draw.whole(1, draw.oneOf([3, 12, 200])) };
  });
  const [isApart, isBroker] = SERVERS_FAULTS.map(() => draw.odds(2 * FAULT_ODDS));
  const at = () => ({
    atMs: draw.ms(slower * spanMs),
    drains: draw.odds(0.5),
    lagMs: draw.oneOf([0, 0, 0, 300, 5000]),
  });
  while (isApart && draw.odds(0.8)) {
    const brokerLagMs = draw.oneOf([0, 0, 300, 5000]);
    const cutOff = watched !== null && draw.odds(0.6) ? watched : server();
    steps.push({ do: 'apart', ...at(), server: cutOff, forMs: draw.oneOf(APART_MS), brokerLagMs });
  }
  while (isBroker && draw.odds(0.4)) steps.push({ do: 'broker', ...at(), forMs: draw.oneOf(APART_MS) });
  return {
    ...world,
    servers: Array.from({ length: servers }, () => ({
      delayMs: draw.oneOf([0, 0, 1, 5, 40]),
      jitterMs: draw.oneOf([0, 0, 5, 40]),
    })),
    steps: steps.sort((a, b) => a.atMs - b.atMs),
  };
}

function withStore(world: World, draw: Draw, writtenMs: number | undefined): World {
  const stored = { ...world, store: { delayMs: draw.oneOf([0, 1, 20, 250]), writtenMs } };
  return draw.odds(0.6) ? withNight(stored, draw) : stored;
}

function withNight(world: World, draw: Draw): World {
  const fromMs = draw.ms(world.steps.at(-1)?.atMs ?? 0);
  const leaveMs = fromMs + draw.oneOf(NIGHT_AFTER_MS);
  const lateMs = writtenMsOf(world)! + KILLED_AFTER_MS.late;
  const killMs = leaveMs + draw.oneOf([...KILLED_AFTER_MS.early, lateMs]);
  const nightMs = lateMs + MORNING_MS;
  const leave = world.users.map((_, user): Step => {
    return { do: 'reload', atMs: leaveMs + draw.ms(SOON_MS), user, forMs: nightMs };
  });
  const kill = serversOf(world).map((_, server): Step => {
    const forMs = draw.oneOf([0, 1000]);
    return { do: 'restart', atMs: killMs + SOON_MS, server, forMs, clientLagMs: 0, drains: false };
  });
  const forMs = leaveMs - fromMs + 2 * nightMs;
  // One who came meanwhile would hold the text, and nothing of the store would show.
  const users = world.users.map((user) => ({ ...user, joinsMs: later(user.joinsMs, fromMs, forMs) }));
  const rest = shifted(world.steps, fromMs, forMs);
  return { ...world, users, steps: [...rest, ...leave, ...kill].sort((a, b) => a.atMs - b.atMs) };
}

function shifted(steps: readonly Step[], fromMs: number, byMs: number): Step[] {
  return steps.map((step) => ({ ...step, atMs: later(step.atMs, fromMs, byMs) }));
}

function later(ms: number, fromMs: number, byMs: number): number {
  return ms > fromMs ? ms + byMs : ms;
}
