/**
 * A delay line: an ordered TCP proxy that lets every chunk through a fixed time after it came, in both directions.
 * It stands in the user's own process or container, so it works the same on every fleet, without the kernel's help.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';

export interface DelayLine {
  port: number;
  stop(): Promise<void>;
}

/**
 * Listens on a free port of the loopback interface.
 *
 * @param target       where the chunks go
 * @param oneWayDelayMs how long each chunk is held, in each direction
 */
export async function startDelayLine(options: {
  target: { host: string; port: number };
  oneWayDelayMs: number;
}): Promise<DelayLine> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = createConnection({ ...options.target, noDelay: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    delayChunks({ from: near, to: far, delayMs: options.oneWayDelayMs });
    delayChunks({ from: far, to: near, delayMs: options.oneWayDelayMs });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return { port: portOf(server), stop: () => close(server, sockets) };
}

/** Chunks leave in the order in which they came: each is due as long after it came. */
function delayChunks({ from, to, delayMs }: { from: Socket; to: Socket; delayMs: number }): void {
  const queue: { chunk: Buffer | null; dueMs: number }[] = [];
  const release = () => {
    while (queue.length > 0 && queue[0]!.dueMs <= performance.now()) {
      const { chunk } = queue.shift()!;
      if (chunk) to.write(chunk);
      else to.end();
    }
    if (queue.length > 0) setTimeout(release, Math.max(0, queue[0]!.dueMs - performance.now()));
  };
  const enqueue = (chunk: Buffer | null) => {
    queue.push({ chunk, dueMs: performance.now() + delayMs });
    // Where something waits already, a timer runs.
    if (queue.length === 1) setTimeout(release, delayMs);
  };
  from.on('data', enqueue);
  from.on('end', () => enqueue(null));
  // A connection that breaks on one side is broken on the other too: the user must notice.
  from.on('error', () => to.destroy());
  from.on('close', () => {
    if (!to.writableEnded && queue.length === 0) to.destroy();
  });
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
