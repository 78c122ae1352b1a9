/**
 * How exactly the delay line delays, and what it costs, with many connections at once. Traffic and line each have a
 * thread of their own, as a page and its driver have, so that neither waits for the other.
 */
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { startDelayLine } from './delay-line.ts';
import { tcpTarget } from './line-target.ts';
import type { Link } from './link.ts';

/** One-way times less the link's delay, in ms, and what the line's thread took. */
export interface DelayLineCost {
  link: string;
  messages: number;
  errorP1Ms: number;
  errorP50Ms: number;
  errorP99Ms: number;
  errorMaxMs: number;
  reordered: number;
  /** Of one core; null if there is no line. */
  lineCpuPercent: number | null;
}

const CONNECTIONS = 100;
const MESSAGES_PER_SECOND = 50;
const MESSAGE_BYTES = 80;
const SECONDS = 10;
const LINKS: Record<string, Link | null> = {
  direct: null,
  '30 ms': { oneWayDelayMs: 30, jitterMs: 0, bandwidthBytesPerSecond: null },
  '55 ms': { oneWayDelayMs: 55, jitterMs: 0, bandwidthBytesPerSecond: null },
  // A connection's messages come every 20 ms, so each may catch up with the one before, and waits for it then.
  '55 ± 15 ms': { oneWayDelayMs: 55, jitterMs: 15, bandwidthBytesPerSecond: null },
  // A hundred times what the messages need.
  '55 ms, 320 Mbit/s': { oneWayDelayMs: 55, jitterMs: 0, bandwidthBytesPerSecond: 40e6 },
};

type Order = { part: 'line'; link: Link; targetPort: number } | { part: 'traffic' };

/** Takes about a minute. Prints nothing. */
export async function benchDelayLine(): Promise<DelayLineCost[]> {
  const costs: DelayLineCost[] = [];
  for (const [name, link] of Object.entries(LINKS)) costs.push(await measure(name, link));
  return costs;
}

async function measure(name: string, link: Link | null): Promise<DelayLineCost> {
  const traffic = startThread({ part: 'traffic' });
  const [sinkPort] = await once(traffic, 'message');
  const line = link === null ? null : startThread({ part: 'line', link, targetPort: sinkPort });
  const [port] = line === null ? [sinkPort] : await once(line, 'message');
  line?.postMessage('start');
  traffic.postMessage(port);
  const [{ timesMs, reordered }] = (await once(traffic, 'message')) as [{ timesMs: Float64Array; reordered: number }];
  line?.postMessage('stop');
  const [lineCpuPercent] = line === null ? [null] : ((await once(line, 'message')) as [number]);
  await Promise.all([traffic.terminate(), line?.terminate()]);
  const errorsMs = timesMs.map((timeMs) => timeMs - (link?.oneWayDelayMs ?? 0)).sort();
  const at = (p: number) => Math.round(100 * errorsMs[Math.floor(p * (errorsMs.length - 1))]!) / 100;
  return {
    link: name,
    messages: errorsMs.length,
    errorP1Ms: at(0.01),
    errorP50Ms: at(0.5),
    errorP99Ms: at(0.99),
    errorMaxMs: at(1),
    reordered,
    lineCpuPercent: lineCpuPercent && Math.round(10 * lineCpuPercent) / 10,
  };
}

function startThread(order: Order): Worker {
  return new Worker(new URL(import.meta.url), { workerData: order });
}

async function runLine({ link, targetPort }: Extract<Order, { part: 'line' }>): Promise<void> {
  const line = await startDelayLine({ target: tcpTarget({ host: '127.0.0.1', port: targetPort }), link, seed: 1 });
  parentPort!.postMessage(line.port);
  await once(parentPort!, 'message');
  const [before, startMs] = [process.threadCpuUsage(), performance.now()];
  await once(parentPort!, 'message');
  const used = process.threadCpuUsage(before);
  parentPort!.postMessage((used.user + used.system) / 10 / (performance.now() - startMs));
  await line.stop();
}

/** Sends from all connections to a sink in the same thread, so that one clock stamps both ends. */
async function runTraffic(): Promise<void> {
  const timesMs = new Float64Array(CONNECTIONS * MESSAGES_PER_SECOND * SECONDS);
  let received = 0;
  let reordered = 0;
  const ended = Promise.withResolvers<void>();
  const sink = createServer({ noDelay: true }, (socket) => {
    let rest = Buffer.alloc(0);
    let expected = 0;
    socket.on('data', (chunk) => {
      const nowMs = performance.now();
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (; rest.length >= MESSAGE_BYTES; rest = rest.subarray(MESSAGE_BYTES)) {
        timesMs[received++] = nowMs - rest.readDoubleLE(0);
        if (rest.readUInt32LE(8) !== expected++) reordered++;
      }
      if (received === timesMs.length) ended.resolve();
    });
  });
  sink.listen(0, '127.0.0.1');
  await once(sink, 'listening');
  parentPort!.postMessage((sink.address() as { port: number }).port);
  const [port] = (await once(parentPort!, 'message')) as [number];
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => connected(port)));
  const periodMs = 1000 / MESSAGES_PER_SECOND;
  const startMs = performance.now() + periodMs;
  for (const [index, socket] of sockets.entries()) sendOnSchedule(socket, startMs + (index / CONNECTIONS) * periodMs);
  await ended.promise;
  parentPort!.postMessage({ timesMs, reordered });
}

async function connected(port: number): Promise<Socket> {
  const socket = createConnection({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function sendOnSchedule(socket: Socket, startMs: number): void {
  let number = 0;
  const send = () => {
    const message = Buffer.alloc(MESSAGE_BYTES);
    message.writeDoubleLE(performance.now(), 0);
    message.writeUInt32LE(number++, 8);
    socket.write(message);
    if (number === MESSAGES_PER_SECOND * SECONDS) return;
    setTimeout(send, Math.max(0, startMs + (number * 1000) / MESSAGES_PER_SECOND - performance.now()));
  };
  setTimeout(send, startMs - performance.now());
}

if (!isMainThread) {
  const order: Order = workerData;
  await (order.part === 'line' ? runLine(order) : runTraffic());
}
