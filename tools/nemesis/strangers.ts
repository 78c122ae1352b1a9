/** Clients at a run's ports that are no part of it: strangers, and some with the token that behave badly. */
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import { CONTROL_URL_VARIABLE } from '../../harness/trial/protocol.ts';
import { listeningPorts, type RunProcess, variableOf } from './processes.ts';

/** How long they stay. */
const HELD_MS = 2500;
/** Of one who says a request's head letter by letter. */
const LETTER_MS = 50;
const WRONG_TOKEN = 'x'.repeat(32);
/** More than any message may have; a frame's head announces it. */
const HUGE_BYTES = 2 ** 40;
/** As much as is sent of it. */
const SENT_BYTES = 2 ** 20;

/** Say what no friend says to every port, in every way that is cheap, and leave late. */
export async function intrude(all: readonly RunProcess[], random: prng.PRNG): Promise<void> {
  const upgrade = upgradeTo(`/${WRONG_TOKEN}/control`);
  const openings = [
    'GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
    upgrade,
    `${upgrade}${frameHead(HUGE_BYTES).toString('latin1')}${'z'.repeat(SENT_BYTES)}`,
    `GET / HTTP/1.1\r\nCookie: ${'y'.repeat(200_000)}\r\n\r\n`,
    Buffer.from(Array.from({ length: 500 }, () => prng.int31(random, 0, 255))),
    '',
  ];
  const ports = listeningPorts(all.map(({ pid }) => pid));
  await Promise.all(
    ports.flatMap((port) => [
      ...openings.map((text) => hold(port, (socket) => socket.write(text))),
      hold(port, (socket) => socket.end()),
      hold(port, spell),
    ]),
  );
}

/** Ask with the token for what there is, and read none of it. */
export async function readNothing(all: readonly RunProcess[], said: string): Promise<void> {
  const control = controlUrlOf(all);
  const ask = (port: number, text: string) =>
    hold(port, (socket) => {
      socket.pause();
      socket.write(text);
    });
  const asking: Promise<void>[] = [];
  if (control !== null) {
    const page = control.pathname.replace(/control$/, '');
    const servers = all.filter(({ role }) => role === 'server').map(({ pid }) => pid);
    asking.push(
      ask(Number(control.port), `GET ${page} HTTP/1.1\r\nHost: ${control.host}\r\n\r\n`),
      ask(Number(control.port), upgradeTo(control.pathname)),
      ...listeningPorts(servers).map((port) => ask(port, upgradeTo(page))),
    );
  }
  const [address] = /http:\/\/\S+/.exec(said) ?? [];
  if (address !== undefined) {
    const { port, pathname, host } = new URL(address);
    for (const path of [pathname, `${pathname}events`]) {
      asking.push(ask(Number(port), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    }
  }
  await Promise.all(asking);
}

/** Come to the coordinator with its token, and send what no process of a trial would. */
export async function impersonate(all: readonly RunProcess[], random: prng.PRNG): Promise<void> {
  const control = controlUrlOf(all);
  if (control === null) return;
  const nonsense = Buffer.from(Array.from({ length: 100 }, () => prng.int31(random, 0, 255)));
  const said = [nonsense, Buffer.from('{"type":"records","lines":[]}'), Buffer.from('{"type":"no such"}')];
  const frames = [...said.map((text) => Buffer.concat([frameHead(text.length), text])), frameHead(HUGE_BYTES)];
  await Promise.all(
    frames.map((frame) =>
      hold(Number(control.port), (socket) => {
        socket.write(upgradeTo(control.pathname));
        // Once it is let in.
        socket.once('data', () => socket.write(frame));
      }),
    ),
  );
}

/** Address and token of a trial's coordinator; null if none of its processes runs. */
function controlUrlOf(all: readonly RunProcess[]): URL | null {
  const found = all.map((each) => variableOf(each, CONTROL_URL_VARIABLE)).find((url) => url !== undefined);
  return found === undefined ? null : new URL(found);
}

function upgradeTo(path: string): string {
  const key = 'AAAAAAAAAAAAAAAAAAAAAA==';
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;
}

/** Of a whole text frame of so many bytes, masked with zeros, as RFC 6455 has it. */
function frameHead(bytes: number): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return head;
}

/** A request's head, which does not come to its end. */
async function spell(socket: Socket): Promise<void> {
  for (const letter of `GET /${WRONG_TOKEN} HTTP/1.1\r\nCookie: ${'y'.repeat(HELD_MS / LETTER_MS)}`) {
    if (socket.destroyed) return;
    socket.write(letter);
    await setTimeout(LETTER_MS);
  }
}

async function hold(port: number, say: (socket: Socket) => unknown): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => {});
  socket.once('connect', () => say(socket));
  await setTimeout(HELD_MS);
  socket.destroy();
}
