/**
 * A delay line: an ordered TCP proxy that carries every chunk over a link (`link.ts`), in both directions. It runs in
 * the user's own process or container, so it works the same on every fleet, without the kernel's help.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { createHolding } from './holding.ts';
import { createLane, type Link } from './link.ts';

export interface DelayLine {
  port: number;
  stop(): Promise<void>;
}

/**
 * More than this is not read ahead in one direction of a connection: the sender then waits, as for a full socket. It is
 * far above what a link holds by its delay and bandwidth, so it only bounds the memory.
 */
const MOST_HELD_BYTES = 16 * 2 ** 20;

type Lane = ReturnType<typeof createLane>;

/**
 * Listens on a free port of the loopback interface.
 *
 * @param target where the chunks go
 * @param link   what happens to them on the way
 * @param seed   where the jitter comes from
 * @param onReleased gets by how much each chunk went on later than planned, ms; below zero where sooner
 */
export async function startDelayLine(options: {
  target: { host: string; port: number };
  link: Link;
  seed: number;
  onReleased?: (lateMs: number) => void;
}): Promise<DelayLine> {
  const { target, link, seed, onReleased } = options;
  const lanes = { there: createLane(link, 2 * seed + 1), back: createLane(link, 2 * seed + 2) };
  const sockets = new Set<Socket>();
  // Half-open, because data on its way back must still arrive after one side has ended.
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = createConnection({ ...target, noDelay: true, allowHalfOpen: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      // An error is followed by a close.
      socket.on('error', () => {});
    }
    carry({ from: near, to: far, lane: lanes.there, onReleased });
    carry({ from: far, to: near, lane: lanes.back, onReleased });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: portOf(server), stop: () => close(server, sockets) };
}

/** What travels: bytes, the end of a stream, or news that the connection broke. */
type Parcel = Buffer | 'end' | 'broken';

function carry(given: { from: Socket; to: Socket; lane: Lane; onReleased?: (lateMs: number) => void }): void {
  const { from, to, lane, onReleased } = given;
  let heldBytes = 0;
  const release = (parcels: Parcel[]) => {
    to.cork();
    for (const parcel of parcels) {
      if (to.destroyed) break;
      if (parcel === 'broken') to.destroy();
      else if (parcel === 'end') to.end();
      else {
        to.write(parcel);
        heldBytes -= parcel.length;
      }
    }
    to.uncork();
    readOn();
  };
  const holding = createHolding(release, { onReleased });
  const send = (parcel: Parcel) => {
    const nowMs = performance.now();
    holding.add(parcel, lane(nowMs, typeof parcel === 'string' ? 0 : parcel.length));
  };
  const readOn = () => {
    if (from.isPaused() && heldBytes + to.writableLength < MOST_HELD_BYTES / 2) from.resume();
  };
  from.on('data', (chunk) => {
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

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the delay line does not listen on TCP');
  return address.port;
}

function close(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
