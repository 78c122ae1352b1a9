/**
 * Virtual surroundings of a framework's code: timers, the time and randomness follow a virtual clock and a seed. They replace
 * globals of the whole process, which must therefore do nothing else.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { VirtualClock } from './virtual-clock.ts';

/** The virtual clock's zero, for those who ask for the date. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** Before any module of a framework is loaded: some keep what they find. */
export function replaceGlobals(clock: VirtualClock, seed: number): void {
  replaceTimers(clock);
  replaceTime(clock);
  replaceRandomness(seed);
}

/** A timer as both Node's and the browser's code take it. */
class VirtualTimer {
  cancel: () => void = () => {};
  ref = () => this;
  unref = () => this;
  hasRef = () => true;
}

function replaceTimers(clock: VirtualClock): void {
  type Call = (...args: unknown[]) => void;
  const start = (call: Call, delayMs: number, args: unknown[], repeats: boolean) => {
    const timer = new VirtualTimer();
    const set = () => {
      timer.cancel = clock.at(clock.nowMs() + Math.max(0, delayMs || 0), () => {
        if (repeats) set();
        call(...args);
      });
    };
    set();
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
}

function replaceTime(clock: VirtualClock): void {
  replace(performance, { now: () => clock.nowMs(), timeOrigin: EPOCH_MS });
  const epochNow = () => Math.floor(EPOCH_MS + clock.nowMs());
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args: unknown[]) {
      super(...((args.length === 0 ? [epochNow()] : args) as []));
    }
    static override now = epochNow;
  } as DateConstructor;
}

function replaceRandomness(seed: number): void {
  // A cipher's key stream: random bytes that the seed decides. No library's generator, which would load what must come after.
  const key = crypto.createHash('sha256').update(String(seed)).digest();
  const stream = crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const randomBytes = (size: number) => stream.update(Buffer.alloc(size));
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
  // Its own getRandomValues is the one above.
  replace(crypto, { randomUUID, randomFillSync: fill, randomBytes });
  syncBuiltinESMExports();
}

/** Also what only a getter gives. */
function replace(target: object, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(target, name, { value });
}
