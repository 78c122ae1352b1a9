/**
 * A stand-in for Redis on a virtual network, with its protocol (RESP 2) and its semantics, as far as servers of libraries use it
 * to tell each other of changes and to lock documents. It holds nothing but in its memory.
 *
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec
 */
import { createHash } from 'node:crypto';
import type { VirtualClock } from './clock.ts';
import type { VirtualNetwork } from './network.ts';
import type { ServerSocket } from './server-socket.ts';

/** From now on it listens there, and holds nothing. */
export function serveRedis(network: VirtualNetwork): void {
  const memory = new Memory(network.clock);
  network.listen().on('connection', (socket: ServerSocket) => serveClient(socket, memory));
}

type Reply = number | string | Buffer | null | Error | Reply[];

interface Client {
  /** A client that has any may do nothing else. */
  channels: Set<string>;
  send(message: Buffer): void;
}

class Memory {
  readonly subscribers = new Map<string, Set<Client>>();
  /** By their digests. */
  readonly scripts = new Map<string, string>();
  readonly entries = new Map<string, { value: string; untilMs: number }>();
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  get(key: string): string | null {
    const entry = this.entries.get(key);
    return entry === undefined || entry.untilMs <= this.#clock.nowMs() ? null : entry.value;
  }

  set(key: string, value: string, lifeMs: number): void {
    this.entries.set(key, { value, untilMs: this.#clock.nowMs() + lifeMs });
  }

  subscribe(client: Client, channel: string): void {
    client.channels.add(channel);
    this.subscribers.set(channel, (this.subscribers.get(channel) ?? new Set()).add(client));
  }

  unsubscribe(client: Client, channel: string): void {
    client.channels.delete(channel);
    this.subscribers.get(channel)?.delete(client);
  }

  /** @returns how many it goes to */
  publish(channel: string, message: Buffer): number {
    const clients = this.subscribers.get(channel) ?? new Set();
    const encoded = encode(['message', bytesOf(channel), message]);
    for (const client of clients) client.send(encoded);
    return clients.size;
  }
}

function serveClient(socket: ServerSocket, memory: Memory): void {
  const client: Client = { channels: new Set(), send: (message) => socket.send(message) };
  let unread: Buffer = Buffer.alloc(0);
  socket.on('message', (chunk: Buffer) => {
    const { commands, rest } = readCommands(Buffer.concat([unread, chunk]));
    unread = rest;
    const replies = commands.flatMap(([name, ...args]) => answer(memory, client, `${name}`.toLowerCase(), args));
    // In one go, as Redis does: no half of them is lost.
    if (replies.length > 0) client.send(Buffer.concat(replies.map(encode)));
    if (commands.some(([name]) => /^quit$/i.test(`${name}`))) socket.close();
  });
  socket.on('close', () => {
    for (const channel of [...client.channels]) memory.unsubscribe(client, channel);
  });
}

/** @returns replies, of which commands about channels have one for each */
function answer(memory: Memory, client: Client, name: string, args: readonly Buffer[]): Reply[] {
  const command = COMMANDS[name];
  if (command === undefined) return [new Error(`ERR unknown command '${name}'`)];
  if (client.channels.size > 0 && !WHILE_SUBSCRIBED.includes(name)) {
    return [new Error(`ERR Can't execute '${name}': only (P|S)SUBSCRIBE / PING / QUIT are allowed in this context`)];
  }
  return command(memory, client, args);
}

const WHILE_SUBSCRIBED: readonly string[] = ['subscribe', 'unsubscribe', 'ping', 'quit'];

type Command = (memory: Memory, client: Client, args: readonly Buffer[]) => Reply[];

const COMMANDS: Readonly<Record<string, Command>> = {
  info: () => ['redis_version:8.0.0\r\nloading:0\r\n'],
  ping: () => ['PONG'],
  quit: () => ['OK'],
  subscribe: (memory, client, channels) =>
    channels.map((channel) => {
      memory.subscribe(client, keyOf(channel));
      return ['subscribe', channel, client.channels.size];
    }),
  unsubscribe(memory, client, named) {
    const channels = named.length > 0 ? named : [...client.channels].map(bytesOf);
    if (channels.length === 0) return [['unsubscribe', null, 0]];
    return channels.map((channel) => {
      memory.unsubscribe(client, keyOf(channel));
      return ['unsubscribe', channel, client.channels.size];
    });
  },
  publish: (memory, _client, [channel, message]) => [memory.publish(keyOf(channel!), message!)],
  pubsub: (memory, _client, [, ...channels]) => [
    channels.flatMap((channel) => [channel, memory.subscribers.get(keyOf(channel))?.size ?? 0]),
  ],
  eval(memory, _client, [script, ...args]) {
    memory.scripts.set(createHash('sha1').update(script!).digest('hex'), `${script}`);
    return [run(memory, `${script}`, args)];
  },
  evalsha(memory, _client, [digest, ...args]) {
    const script = memory.scripts.get(`${digest}`);
    return [script === undefined ? new Error('NOSCRIPT No matching script.') : run(memory, script, args)];
  },
};

function run(memory: Memory, script: string, [count, ...args]: readonly Buffer[]): Reply {
  const known = SCRIPTS.find(({ calls }) => calls.test(script));
  if (known === undefined) return new Error('ERR this stand-in for Redis does not know the script');
  const texts = args.map(keyOf);
  return known.run(memory, texts.slice(0, Number(count)), texts.slice(Number(count)));
}

/**
 * The effects of Lua scripts, known by the commands that they call: those of Redlock, whose arguments are the database, the
 * lock's value and its life, and that of sharedb-redis-pubsub, which has a message for several channels.
 *
 * @see https://redis.io/docs/latest/develop/clients/patterns/distributed-locks
 */
const SCRIPTS: readonly { calls: RegExp; run(memory: Memory, keys: string[], args: string[]): Reply }[] = [
  {
    calls: /"exists"[\s\S]*"PX"/,
    run(memory, keys, [, value, lifeMs]) {
      if (keys.some((key) => memory.get(key) !== null)) return 0;
      for (const key of keys) memory.set(key, value!, Number(lifeMs));
      return keys.length;
    },
  },
  {
    calls: /"get"[\s\S]*"del"/,
    run(memory, keys, [, value]) {
      const held = keys.filter((key) => memory.get(key) === value);
      for (const key of held) memory.entries.delete(key);
      return held.length;
    },
  },
  {
    calls: /"publish"/,
    run(memory, _keys, [message, ...channels]) {
      for (const channel of channels) memory.publish(channel, bytesOf(message!));
      return null;
    },
  },
];

/** Keys and channels are bytes. */
const keyOf = (bytes: Buffer) => bytes.toString('latin1');
const bytesOf = (key: string) => Buffer.from(key, 'latin1');

/** @returns the commands that are there as a whole, and the beginning of the next */
function readCommands(bytes: Buffer): { commands: Buffer[][]; rest: Buffer } {
  const commands: Buffer[][] = [];
  let rest = bytes;
  for (let read = readCommand(rest); read !== null; read = readCommand(rest)) {
    commands.push(read.command);
    rest = rest.subarray(read.end);
  }
  return { commands, rest };
}

/** An array of strings, each behind its length. @returns null: it has not come as a whole */
function readCommand(bytes: Buffer): { command: Buffer[]; end: number } | null {
  const head = readNumber(bytes, 0);
  if (head === null) return null;
  const command: Buffer[] = [];
  let { end } = head;
  while (command.length < head.value) {
    const length = readNumber(bytes, end);
    if (length === null || length.end + length.value + LINE_END.length > bytes.length) return null;
    end = length.end + length.value;
    command.push(bytes.subarray(length.end, end));
    end += LINE_END.length;
  }
  return { command, end };
}

const LINE_END = '\r\n';

/** A line with a number, behind a character that says what it counts. */
function readNumber(bytes: Buffer, from: number): { value: number; end: number } | null {
  const end = bytes.indexOf(LINE_END, from);
  return end === -1 ? null : { value: Number(bytes.toString('latin1', from + 1, end)), end: end + LINE_END.length };
}

function encode(reply: Reply): Buffer {
  if (reply === null) return Buffer.from('$-1\r\n');
  if (typeof reply === 'number') return Buffer.from(`:${reply}\r\n`);
  if (reply instanceof Error) return Buffer.from(`-${reply.message}\r\n`);
  if (Array.isArray(reply)) return Buffer.concat([Buffer.from(`*${reply.length}\r\n`), ...reply.map(encode)]);
  const bytes = Buffer.from(reply as string);
  return Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from(LINE_END)]);
}
