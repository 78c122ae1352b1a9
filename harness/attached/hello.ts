/** Asks a server that somebody else runs who it is, and writes nothing there. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { redact } from '../../infra/channel/token.ts';
import { authoritiesOf, type Ending } from '../../infra/network/line-target.ts';
import { Changes } from '../../infra/process/changes.ts';
import type { Frame } from '../../infra/virtual/network.ts';
import { messageOf, Unavailable } from '../../results/user-error.ts';
import type { DocumentAddress } from './address.ts';
import type { Protocol, Told } from './protocols/protocol.ts';
import { PROTOCOLS } from './protocols.ts';
import { isOrdinary, type Refusal, refusalOf, sayRefusal } from './refusals.ts';

/** How long a server may take to speak first, or to answer. */
const ANSWER_MS = 1500;
const CONNECT_MS = 10_000;
/** The same for its goodbye. */
const GOODBYE_MS = 1000;

export interface Hello extends Told {
  protocol: Protocol;
  roundTripMs: number;
  /** `TLSv1.3`; null: none. */
  tls: string | null;
}

/** As `freshName` begins each. */
export const FRESH = /^scriptorium-[0-9a-f]{8}-/;

/** Nobody has it by chance. */
export function freshName(of: string): string {
  return `scriptorium-${randomBytes(4).toString('hex')}-${of}`;
}

/**
 * Opens the document, once for each protocol that has to be asked.
 *
 * @param options.expected  the protocol that is asked before others; absent: none
 * @param options.isStrange false: the expected protocol was spoken there before, so it is asked at once. Else the server may speak
 *        first, and then those are asked for whose servers may end at a frame that is not theirs.
 * @param options.lookMs    how long an empty document is watched; absent: not at all
 * @returns null if it takes WebSockets and speaks none of the known protocols
 * @throws UserError (3) with what to change if it cannot be reached, or refuses
 */
export async function sayHello(
  address: DocumentAddress,
  { expected, isStrange = true, lookMs = 0 }: { expected?: string; isStrange?: boolean; lookMs?: number } = {},
): Promise<Hello | null> {
  const asked = PROTOCOLS.filter(({ ask }) => ask(address).length > 0);
  const first = asked.filter(({ name }) => name === expected);
  const fragile = asked.filter(({ isFragile }) => isFragile);
  const order = isStrange ? [null, ...fragile, ...first, ...asked] : [...first, null, ...fragile, ...asked];
  for (const protocol of new Set(order)) {
    const answer = await converse(address, protocol, lookMs);
    // It greeted by itself, and has more to say if it is asked.
    if (answer !== null && !hasTold(answer) && protocol === null) {
      return await converse(address, answer.protocol, lookMs);
    }
    if (answer !== null) return answer;
  }
  return null;
}

/** Connects, and says nothing. @throws UserError (3) as `sayHello` does */
export async function reach(address: DocumentAddress): Promise<void> {
  const { socket } = await connect(address);
  await leave(socket);
}

/** @param asked null: it only listens */
async function converse(address: DocumentAddress, asked: Protocol | null, lookMs: number): Promise<Hello | null> {
  const { socket, frames, tls } = await connect(address);
  const listen = async (answer: Answer | null, limitMs: number, isEnough: (answer: Answer) => boolean) => {
    const limit = AbortSignal.any([AbortSignal.timeout(limitMs), frames.closed]);
    let heard = answer;
    while (heard === null || !isEnough(heard)) {
      const frame = await frames.next(limit);
      if (frame === null) break;
      const read = readWith(asked === null ? PROTOCOLS : [asked], { frame, address, before: heard });
      // A server that does not answer in the protocol that it was asked in does not speak it.
      if (read === null && heard === null && asked !== null) break;
      heard = read ?? heard;
    }
    return heard;
  };
  try {
    const roundTripMs = await roundTripOf(socket);
    for (const frame of asked?.ask(address) ?? []) socket.send(frame);
    // Of one that greets by itself, and is to be asked, the greeting is enough.
    const isGreeting = ({ protocol }: Answer) => asked === null && protocol.ask(address).length > 0;
    let answer = await listen(null, ANSWER_MS + lookMs, (heard) => hasTold(heard) || isGreeting(heard));
    if (answer?.isEmpty === true && lookMs > 0) {
      // A server may give a document out before its store has loaded it: that comes later, and whoever asks anew gets it.
      answer = await listen(answer, lookMs, ({ isEmpty }) => isEmpty === false);
      const again = await converse(address, asked, 0);
      if (answer?.isEmpty === true && again !== null) answer = { ...answer, isEmpty: again.isEmpty };
    }
    // At another protocol's frame a server may end with any code; of one that heard nothing, it is about who came.
    const { ending } = frames;
    if (answer === null && asked === null && ending !== null && !isOrdinary(ending)) {
      throw refused(refusalOf({ ...ending, reason: redact(ending.reason, ...address.secrets) }));
    }
    return answer && { ...answer, roundTripMs, tls };
  } finally {
    await leave(socket);
  }
}

type Answer = Told & { protocol: Protocol };

/** True if no later frame is needed. */
function hasTold({ protocol, denied, isEmpty }: Answer): boolean {
  return denied !== null || isEmpty !== null || protocol.isSilent === true;
}

function readWith(
  protocols: readonly Protocol[],
  { frame, address, before }: { frame: Frame; address: DocumentAddress; before: Told | null },
): Answer | null {
  for (const protocol of protocols) {
    const told = protocol.read(frame, address.document);
    if (told === null) continue;
    // A server may repeat what it was shown, and people read that and send it to others.
    const denied = typeof told.denied === 'string' ? redact(told.denied, ...address.secrets) : null;
    return { protocol, ...merge(before, { ...told, denied }) };
  }
  return null;
}

function merge(before: Told | null, now: Told): Told {
  return {
    access: now.access ?? before?.access ?? null,
    denied: now.denied ?? before?.denied ?? null,
    isEmpty: now.isEmpty ?? before?.isEmpty ?? null,
  };
}

interface Conversation {
  socket: WebSocket;
  frames: Frames;
  tls: string | null;
}

async function connect({ url, headers, ca }: DocumentAddress): Promise<Conversation> {
  const givesOrigin = Object.keys(headers).some((name) => name.toLowerCase() === 'origin');
  const socket = new WebSocket(url, {
    headers,
    origin: givesOrigin ? undefined : new URL(url).origin.replace(/^ws/, 'http'),
    ca: authoritiesOf(ca),
  });
  const frames = new Frames(socket);
  let tls: string | null = null;
  socket.on('upgrade', (response: IncomingMessage) => {
    tls = (response.socket as TLSSocket).getProtocol?.() ?? null;
  });
  const limit = AbortSignal.timeout(CONNECT_MS);
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    // A limit of the socket's own would begin again with each byte that comes.
    limit.addEventListener('abort', () => {
      if (socket.readyState !== WebSocket.CONNECTING) return;
      const message = `no whole answer in ${CONNECT_MS / 1000} s`;
      reject(refused(refusalOf({ by: 'error', code: 'ETIMEDOUT', message })));
      socket.terminate();
    });
    socket.on('unexpected-response', (_request, { statusCode }: IncomingMessage) => {
      reject(refused(refusalOf({ by: 'status', status: statusCode ?? 0 })));
      // The server may keep such a connection for the next request.
      socket.terminate();
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      reject(refused(refusalOf({ by: 'error', code: error.code ?? '', message: messageOf(error) }))),
    );
  });
  return { socket, frames, tls };
}

/** Says goodbye, and resolves once the connection is over: a server may let a document go with its last one. */
async function leave(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const limit = setTimeout(() => socket.terminate(), GOODBYE_MS);
  socket.close();
  await closed;
  clearTimeout(limit);
}

/** While more waits, in bytes or characters, the server has to wait, too. */
const MOST_WAITING = 2 ** 22;

/** Frames that came in, kept until somebody asks for them. */
class Frames {
  readonly #socket: WebSocket;
  readonly #waiting: Frame[] = [];
  #waitingLength = 0;
  readonly #arrivals = new Changes();
  readonly #closed = new AbortController();
  /** How the server closed the connection; null: it has not. */
  ending: Extract<Ending, { by: 'close' }> | null = null;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const frame = isBinary ? new Uint8Array(data) : data.toString('utf8');
      this.#waiting.push(frame);
      this.#waitingLength += frame.length;
      if (this.#waitingLength > MOST_WAITING) socket.pause();
      this.#arrivals.happened();
    });
    socket.on('close', (code, reason) => {
      this.ending = { by: 'close', code, reason: reason.toString() };
      this.#closed.abort();
    });
  }

  /** Aborts once the server has closed the connection. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Null once the signal aborts and nothing is left. */
  async next(signal: AbortSignal): Promise<Frame | null> {
    await this.#arrivals.until(() => this.#waiting.length > 0, signal).catch(() => {});
    const frame = this.#waiting.shift() ?? null;
    this.#waitingLength -= frame?.length ?? 0;
    if (this.#waitingLength <= MOST_WAITING) this.#socket.resume();
    return frame;
  }
}

async function roundTripOf(socket: WebSocket): Promise<number> {
  const beganMs = performance.now();
  return new Promise((resolve) => {
    const end = (roundTripMs: number) => {
      clearTimeout(timer);
      resolve(roundTripMs);
    };
    const timer = setTimeout(end, ANSWER_MS, Number.NaN);
    socket.once('pong', () => end(performance.now() - beganMs));
    socket.once('close', () => end(Number.NaN));
    socket.ping();
  });
}

function refused(refusal: Refusal): Unavailable {
  return new Unavailable(sayRefusal(refusal));
}
