/**
 * A delay line: an ordered TCP proxy that carries every chunk over a link (`link.ts`), in both directions. It runs in
 * the user's own process or container, so it works the same on every fleet, without the kernel's help. For a while it can
 * be cut, off, or another link (`link.ts`).
 */
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createHolding } from './holding.ts';
import type { LineTarget, Passage } from './line-target.ts';
import { type LineFault, LineState, type Link } from './link.ts';
import { listenOn } from './listen-on.ts';

export interface DelayLine {
  port: number;
  /** Bytes that went on so far, to the target and back. */
  carried: Readonly<Record<'there' | 'back', number>>;
  /** From now on until what it returns is called, this is the matter with the line. Several faults may be at once. */
  begin(fault: LineFault): () => void;
  stop(): Promise<void>;
}

/**
 * More than this is not read ahead in one direction of a connection: the sender then waits, as for a full socket. It is
 * far above what a link holds by its delay and bandwidth, so it only bounds the memory.
 */
const MOST_HELD_BYTES = 16 * 2 ** 20;

/**
 * Listens on a free port of the loopback interface.
 *
 * @param target where the chunks go, and what becomes of them there
 * @param link   the delays and limits on the way
 * @param seed   where the jitter comes from
 * @param onReleased gets by how much each chunk went on later than planned, ms; below zero if sooner
 */
export async function startDelayLine(options: {
  target: LineTarget;
  link: Link;
  seed: number;
  onReleased?: (lateMs: number) => void;
}): Promise<DelayLine> {
  const { target, link, seed, onReleased } = options;
  const state = new LineState(link, seed);
  const carried = { there: 0, back: 0 };
  const sockets = new Set<Socket>();
  const follow = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // An error is followed by a close.
    socket.on('error', () => {});
  };
  // Half-open, because data on its way back must still arrive after one side has ended.
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    follow(near);
    if (state.isOff) return reset(near);
    const passage = target.passage?.();
    const join = (first?: Buffer) => {
      // While the line is cut, the other end does not hear of it.
      state.whenWhole(() => {
        if (near.destroyed) return;
        const far = target.connect();
        follow(far);
        if (passage !== undefined) tellEnd({ near, far, passage, state });
        carry({ from: near, to: far, state, carried, direction: 'there', onReleased, change: passage?.there, first });
        carry({ from: far, to: near, state, carried, direction: 'back', onReleased, see: passage?.back });
        near.resume();
      });
    };
    if (passage === undefined) join();
    else untilAdmitted(near, passage, join);
  });
  const port = await listenOn(server);
  return {
    port,
    carried,
    begin(fault) {
      const end = state.begin(fault);
      if (fault.kind === 'offline') for (const socket of sockets) reset(socket);
      return end;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Without a word, as far as the system lets it: of TLS it resets nothing. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/**
 * A server that somebody else runs hears of nobody who may not come.
 *
 * @param onAdmitted gets the first bytes that it is to have; nothing more is read until the socket is resumed
 */
function untilAdmitted(near: Socket, passage: Passage, onAdmitted: (first: Buffer) => void): void {
  const read = (chunk: Buffer) => {
    const first = passage.there(chunk);
    if (first === null) near.destroy();
    if (first === null || first.length === 0) return;
    near.off('data', read).off('end', leave).pause();
    onAdmitted(first);
  };
  const leave = () => void near.destroy();
  near.on('data', read).on('end', leave);
}

/** A unit that travels: bytes, the end of a stream, or news that the connection broke. */
type Parcel = Buffer | 'end' | 'broken';

function carry(given: {
  from: Socket;
  to: Socket;
  state: LineState;
  carried: Record<'there' | 'back', number>;
  direction: 'there' | 'back';
  onReleased?: (lateMs: number) => void;
  change?: Passage['there'];
  see?: (chunk: Buffer) => void;
  /** Read before, and changed already. */
  first?: Buffer;
}): void {
  const { from, to, state, carried, direction, onReleased, change, see, first } = given;
  let heldBytes = 0;
  const passOn = (parcels: Parcel[]) => {
    to.cork();
    for (const parcel of parcels) {
      if (to.destroyed) break;
      if (parcel === 'broken') to.destroy();
      else if (parcel === 'end') to.end();
      else {
        to.write(parcel);
        carried[direction] += parcel.length;
        heldBytes -= parcel.length;
      }
    }
    to.uncork();
    readOn();
  };
  const release = (parcels: Parcel[]) => state.whenWhole(() => passOn(parcels));
  const holding = createHolding(release, { onReleased });
  const send = (parcel: Parcel) => {
    const nowMs = performance.now();
    holding.add(parcel, state.leavesMs(direction, nowMs, typeof parcel === 'string' ? 0 : parcel.length));
  };
  const readOn = () => {
    if (from.isPaused() && heldBytes + to.writableLength < MOST_HELD_BYTES / 2) from.resume();
  };
  if (first !== undefined) {
    heldBytes += first.length;
    send(first);
  }
  from.on('data', (read: Buffer) => {
    see?.(read);
    const chunk = change === undefined ? read : change(read);
    if (chunk === null) {
      from.destroy();
      to.destroy();
      return;
    }
    if (chunk.length === 0) return;
    heldBytes += chunk.length;
    send(chunk);
    if (heldBytes + to.writableLength > MOST_HELD_BYTES) from.pause();
  });
  from.on('end', () => send('end'));
  from.on('close', (hadError) => {
    if (hadError || !from.readableEnded) send('broken');
  });
  to.on('drain', readOn);
  to.on('close', () => holding.clear());
}

/** The server's first word of an end counts: by the time that its socket is closed, the client has followed. */
function tellEnd(given: { near: Socket; far: Socket; passage: Passage; state: LineState }): void {
  const { near, far, passage, state } = given;
  let error: Error | null = null;
  let hasEnded = false;
  const end = () => {
    // That a server gives up who does not answer is the doing of a cut.
    const isServers = !hasEnded && !near.readableEnded && !near.destroyed && !state.isCut;
    hasEnded = true;
    if (isServers) passage.ended(error);
  };
  far.on('error', (cause) => {
    error = cause;
  });
  far.on('end', end).on('close', end);
}
