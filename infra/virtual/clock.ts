/** A clock that stands still but for `run`, which goes from one thing that is due to the next; and surroundings that follow it. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';

export interface VirtualClock {
  /** Ms since it was made. */
  nowMs(): number;
  /** By how much the date is ahead of that: somebody set it. */
  wallAheadMs: number;
  /** Calls back at that instant, after what else is due then and was added before. @returns what cancels it */
  at(dueMs: number, call: () => void): () => void;
  /** So many ms from now, as `at` does. */
  after(ms: number, call: () => void): () => void;
  /** Does the next thing that is due no later than that, and resolves once what it set going in this process is done. */
  next(limitMs: number): Promise<boolean>;
  /** Does all that is due until then, which it then is. */
  run(untilMs: number): Promise<void>;
  /** A turn of the real event loop, for what goes on without being due. */
  turn(): Promise<void>;
  /** A real millisecond, for what takes real time. */
  idle(): Promise<void>;
}

/** Held here, because a simulation replaces the global ones. */
const { setImmediate: afterMicrotasks, setTimeout: afterReal } = globalThis;

/** After too much at once, the least that anything waits. */
const RESTLESS_MS = 1;

const turn = () => new Promise<void>((resolve) => afterMicrotasks(resolve));

/** @param mostAtOnce work that begins itself again without a pause takes time after so many things at one instant; absent: never */
export function createVirtualClock({ mostAtOnce = Number.POSITIVE_INFINITY } = {}): VirtualClock {
  /** The last to come is first. */
  const due: { atMs: number; call: () => void }[] = [];
  let nowMs = 0;
  /** Things done at this instant. */
  let atOnce = 0;
  let isRestless = false;
  /** Behind all that comes later. */
  const placeOf = (atMs: number) => {
    let [place, end] = [0, due.length];
    while (place < end) {
      const middle = (place + end) >> 1;
      if (due[middle]!.atMs > atMs) place = middle + 1;
      else end = middle;
    }
    return place;
  };
  const next = async (limitMs: number) => {
    const first = due.at(-1);
    if (first === undefined || first.atMs > limitMs) return false;
    due.pop();
    atOnce = first.atMs > nowMs ? 1 : atOnce + 1;
    isRestless ||= atOnce > mostAtOnce;
    nowMs = Math.max(nowMs, first.atMs);
    first.call();
    // Promises of the code under simulation go on before the clock does.
    await turn();
    return true;
  };
  const at = (dueMs: number, call: () => void) => {
    const added = { atMs: Math.max(dueMs, isRestless ? nowMs + RESTLESS_MS : nowMs), call };
    due.splice(placeOf(added.atMs), 0, added);
    return () => {
      const place = due.indexOf(added, placeOf(added.atMs));
      if (place !== -1) due.splice(place, 1);
    };
  };
  return {
    nowMs: () => nowMs,
    wallAheadMs: 0,
    at,
    after: (ms, call) => at(nowMs + ms, call),
    next,
    async run(untilMs) {
      while (await next(untilMs));
      nowMs = Math.max(nowMs, untilMs);
    },
    turn,
    idle: () => new Promise((resolve) => afterReal(resolve, 1)),
  };
}

/** The virtual clock's zero, for those who ask for the date. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** Of the code that runs now. */
let current: VirtualClock | null = null;
let randomBytes: (size: number) => Buffer;

/**
 * Before any module of a framework is loaded: some keep what they find. A later call begins again, with another clock: timers of
 * before never come.
 */
export function replaceGlobals(clock: VirtualClock, seed: number): void {
  const isFirst = current === null;
  current = clock;
  randomBytes = seededBytes(seed);
  if (!isFirst) return;
  replaceTimers();
  replaceTime();
  replaceRandomness();
}

/** A timer as both Node's and the browser's code take it. */
class VirtualTimer {
  cancel: () => void = () => {};
  set: () => void = () => {};
  ref = () => this;
  unref = () => this;
  hasRef = () => true;
  refresh = () => {
    this.cancel();
    this.set();
    return this;
  };
}

function replaceTimers(): void {
  type Call = (...args: unknown[]) => void;
  const start = (call: Call, delayMs: number, args: unknown[], repeats: boolean) => {
    const clock = current!;
    const timer = new VirtualTimer();
    timer.set = () => {
      timer.cancel = clock.after(Math.max(0, delayMs || 0), () => {
        if (repeats) timer.set();
        call(...args);
      });
    };
    timer.set();
    return timer;
  };
  const stop = (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.cancel();
  };
  Object.assign(globalThis, {
    setTimeout: (call: Call, delayMs: number, ...args: unknown[]) => start(call, delayMs, args, false),
    setInterval: (call: Call, delayMs: number, ...args: unknown[]) =>
      start(call, Math.max(1, delayMs || 0), args, true),
    setImmediate: (call: Call, ...args: unknown[]) => start(call, 0, args, false),
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
  });
  const setTimeout = (delayMs = 1, value?: unknown) =>
    new Promise((resolve) => start(() => resolve(value), delayMs, [], false));
  Object.assign(timersPromises, { setTimeout });
  Object.defineProperty(globalThis.setTimeout, promisify.custom, { value: setTimeout });
}

function replaceTime(): void {
  replace(performance, { now: () => current!.nowMs(), timeOrigin: EPOCH_MS });
  const epochNow = () => Math.floor(EPOCH_MS + current!.nowMs() + current!.wallAheadMs);
  const RealDate = Date;
  // No class, since `Date()` without `new` is a text.
  const dateOf = function (this: unknown, ...args: unknown[]) {
    if (new.target === undefined) return new RealDate(epochNow()).toString();
    return Reflect.construct(RealDate, args.length === 0 ? [epochNow()] : args, new.target);
  };
  Object.setPrototypeOf(dateOf, RealDate);
  globalThis.Date = Object.assign(dateOf, { prototype: RealDate.prototype, now: epochNow }) as DateConstructor;
}

const ZEROS = Buffer.alloc(1024);

/** A cipher's key stream: random bytes that the seed decides. No library's generator, which would load what must come after. */
function seededBytes(seed: number): (size: number) => Buffer {
  const key = crypto.createHash('sha256').update(String(seed)).digest();
  const stream = crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  let [pool, used] = [Buffer.alloc(0), 0];
  return (size) => {
    const bytes = Buffer.alloc(size);
    for (let filled = 0; filled < size; ) {
      // A call of the cipher takes longer than a block.
      if (used === pool.length) [pool, used] = [stream.update(ZEROS), 0];
      const copied = pool.copy(bytes, filled, used);
      [filled, used] = [filled + copied, used + copied];
    }
    return bytes;
  };
}

function replaceRandomness(): void {
  const fill = <T extends ArrayBufferView>(view: T): T => {
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(randomBytes(view.byteLength));
    return view;
  };
  const randomUUID = () => {
    const hex = randomBytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Math.random = () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48;
  replace(globalThis.crypto, { getRandomValues: fill, randomUUID });
  const bytes = (size: number, done?: (error: null, bytes: Buffer) => void) => {
    const drawn = randomBytes(size);
    if (done === undefined) return drawn;
    queueMicrotask(() => done(null, drawn));
  };
  const randomInt = (...args: unknown[]) => {
    const [least, most] = (typeof args[1] === 'number' ? args : [0, args[0]]) as [number, number];
    const drawn = least + Math.floor(Math.random() * (most - least));
    const done = args.at(-1);
    if (typeof done !== 'function') return drawn;
    queueMicrotask(() => done(null, drawn));
  };
  const fillPart = <T extends ArrayBufferView | ArrayBuffer>(target: T, from = 0, size?: number): T => {
    const view: ArrayBufferView = target instanceof ArrayBuffer ? new Uint8Array(target) : target;
    const { BYTES_PER_ELEMENT: unit = 1 } = view as ArrayBufferView & { BYTES_PER_ELEMENT?: number };
    const part = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    fill(part.subarray(from * unit, size === undefined ? undefined : (from + size) * unit));
    return target;
  };
  // Its own getRandomValues is the one above.
  replace(crypto, { randomUUID, randomFillSync: fillPart, randomBytes: bytes, randomInt });
  syncBuiltinESMExports();
}

/** Also what only a getter gives. */
function replace(target: object, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(target, name, { value });
}
