import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createToken, isToken, pathBehindToken, redact, refuseUpgrade } from './token.ts';

test('tokens are long, differ, and go into an address as they are', () => {
  const tokens = Array.from({ length: 100 }, createToken);
  expect(new Set(tokens).size).toBe(100);
  // 24 bytes in base 64, 6 bits a character.
  for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/);
});

test('only the token itself is one, whatever the length of a guess', () => {
  const token = createToken();
  expect(isToken(token, token)).toBe(true);
  for (const guess of ['', 'x', token.slice(1), `${token}x`, token.toLowerCase(), createToken()]) {
    expect(isToken(guess, token)).toBe(guess === token);
  }
});

test('what follows the token is the path; without it there is none', () => {
  expect(pathBehindToken('/secret/control', 'secret')).toBe('/control');
  expect(pathBehindToken('/secret/a/b?c=d', 'secret')).toBe('/a/b?c=d');
  expect(pathBehindToken('/secret', 'secret')).toBe('/');
  for (const url of ['/control', '/', '', undefined, '//secret/control', '/secret2/control', '/Secret/control']) {
    expect(pathBehindToken(url, 'secret')).toBeNull();
  }
});

test('redacting leaves nothing of it', () => {
  expect(redact('ws://h:1/secret/control and secret', 'secret')).toBe('ws://h:1/(token)/control and (token)');
  expect(redact('one of two', 'one', 'two')).toBe('(token) of (token)');
});

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

let http: ReturnType<typeof createServer>;
let port: number;
beforeEach(async () => {
  http = createServer();
  http.on('upgrade', (_request, socket) => refuseUpgrade(socket));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  ({ port } = http.address() as AddressInfo);
});
afterEach(() => new Promise<void>((resolve) => http.close(() => resolve())));

test('says so, and lets go, also of a caller that keeps its half open', async () => {
  const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  caller.write(REQUEST);
  const [answer] = (await once(caller, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /);
  await new Promise<void>((resolve) => http.close(() => resolve()));
  caller.destroy();
});

test('a caller that breaks off at once does no harm', async () => {
  for (let times = 0; times < 5; times++) {
    const caller = connect(port, '127.0.0.1');
    const asked = once(http, 'upgrade');
    await new Promise<void>((resolve) => caller.write(REQUEST, () => resolve()));
    caller.resetAndDestroy();
    const [, socket] = await asked;
    if (!socket.closed) await once(socket, 'close');
  }
});
