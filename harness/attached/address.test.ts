import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { folderOfAllTests } from '../../tests/folders.ts';
import { writtenSecrets } from '../experiment/servers.ts';
import { databaseAddress, documentAddress, SECRETS_VARIABLE, secretsOf } from './address.ts';

const folder = folderOfAllTests();
beforeAll(async () => {
  await folder.put('token', 's3cret\n');
  process.env.TEST_TOKEN = 'from the environment\n';
});
afterAll(async () => {
  delete process.env.TEST_TOKEN;
});

const server = { url: 'ws://h:1/base', headers: [], token: null, ca: null };
const inPath = { protocol: 'y-websocket', documentIn: 'path' } as const;
const inMessages = { protocol: 'hocuspocus', documentIn: 'messages' } as const;

test('a document’s name stands where the library puts it, or where the address says', () => {
  const urlOf = (url: string, how: typeof inPath | typeof inMessages) =>
    documentAddress({ ...server, url }, 'a b', how).url;
  expect(urlOf('ws://h:1', inPath)).toBe('ws://h:1/a%20b');
  expect(urlOf('ws://h:1/base/?x=1', inPath)).toBe('ws://h:1/base/a%20b?x=1');
  expect(urlOf('ws://h:1/base', inMessages)).toBe('ws://h:1/base');
  expect(urlOf('wss://h/room/{document}?s=1', inPath)).toBe('wss://h/room/a%20b?s=1');
});

test('a name behind the path is the one that a browser asks for', () => {
  const urlOf = (document: string) => documentAddress({ ...server, url: 'ws://h:1/base?x=1' }, document, inPath).url;
  for (const name of ['team/notes', 'room:42', 'me@home', 'a+b', 'a b', 'é', 'a%2Fb']) {
    expect(urlOf(name), name).toBe(new URL(`ws://h:1/base/${name}?x=1`).href);
  }
  // They would begin a query, or end the address.
  expect(urlOf('a?b#c')).toBe('ws://h:1/base/a%3Fb%23c?x=1');
});

test('secrets come from the environment or a file, wherever they are named', () => {
  const named = {
    url: `ws://h/?key={file:${folder.in('token')}}`,
    headers: ['Authorization: Bearer {env:TEST_TOKEN}'],
    token: '{env:TEST_TOKEN}',
    ca: folder.in('token'),
  };
  expect(documentAddress(named, 'd', inMessages)).toEqual({
    url: 'ws://h/?key=s3cret',
    headers: { Authorization: 'Bearer from the environment' },
    token: 'from the environment',
    ca: 's3cret\n',
    document: 'd',
    // The other one is too short to be told from other text.
    secrets: ['from the environment'],
  });
});

test('a secret that is not there is named, and nothing else is said of it', () => {
  const without = (token: string) => () => documentAddress({ ...server, token }, 'd', inMessages);
  expect(without('{env:NOT_SET_ANYWHERE}')).toThrow('NOT_SET_ANYWHERE, which an attached server');
  expect(without('{file:/nowhere/token}')).toThrow('a secret: /nowhere/token cannot be read: there is no such file');
});

test('a secret that no header can hold is refused, and not said', () => {
  vi.stubEnv('ODD_SECRET', 's3cret\nof two lines');
  const odd = { ...server, headers: ['Authorization: Bearer {env:ODD_SECRET}'] };
  expect(() => documentAddress(odd, 'd', inMessages)).toThrow(/^the header Authorization would hold a line end/);
  vi.unstubAllEnvs();
});

test('cookies that are given in several headers are one list, and a name in another case is the same', () => {
  const headers = ['Cookie: a=1', 'X-Of: one', 'x-of: two', 'cookie: b={env:TEST_TOKEN}'];
  expect(documentAddress({ ...server, headers }, 'd', inMessages).headers).toEqual({
    Cookie: 'a=1; b=from the environment',
    'X-Of': 'one, two',
  });
});

test('what is no address names no secret, and a name and password belong into a header', () => {
  const at = (url: string) => () => documentAddress({ ...server, url }, 'd', inPath);
  expect(at('ws://h:99999/?key={env:TEST_TOKEN}')).toThrow(
    '"ws://h:99999/?key={env:TEST_TOKEN}" is no address of a WebSocket; write one such as',
  );
  expect(at('ws://h/x#y')).toThrow('for its "#": write %23');
  expect(at('wss://me:{env:TEST_TOKEN}@h/x')).toThrow(
    '"wss://me:{env:TEST_TOKEN}@h/x" is no address of a WebSocket, for its name and password: write a header',
  );
});

test('each cookie is a secret, and so are keys by any name and the metrics’ address', () => {
  const found = (server: Partial<Parameters<typeof writtenSecrets>[0]>) =>
    writtenSecrets({ url: 'ws://h', headers: [], token: null, ...server }).map(({ property }) => property);
  expect(found({ headers: ['Cookie: a={env:A}; b={file:/b}'] })).toEqual([]);
  expect(found({ headers: ['Cookie: a={env:A}; b=written'] })).toEqual(['headers']);
  expect(found({ headers: ['Api-Key: written'] })).toEqual(['headers']);
  for (const header of ['X-Session: written', 'X-Jwt: written', 'X-Amz-Signature: written']) {
    expect(found({ headers: [header] }), header).toEqual(['headers']);
  }
  for (const query of [
    'session=written',
    'sessionId=written',
    'x=1&sid=written',
    'sig=written',
    'api_key2=1&jwt=written',
  ]) {
    expect(found({ url: `ws://h/?${query}` }), query).toEqual(['url']);
  }
  expect(found({ url: 'ws://h/?side=left&author=me&session={env:A}', headers: ['Origin: https://h'] })).toEqual([]);
  expect(found({ metrics: 'http://h/metrics?token=written' })).toEqual(['metrics']);
  expect(found({ metrics: 'http://h/metrics?token={env:A}' })).toEqual(['metrics']);
  expect(found({ metrics: 'http://h/metrics?format=text' })).toEqual([]);
});

test('another machine gets what servers name, and reads it there', async () => {
  const ca = folder.in('token');
  const named = { url: 'ws://h/{document}?key={env:TEST_TOKEN}', headers: [], token: `{file:${ca}}`, ca };
  const secrets = secretsOf([named, server]);
  expect(secrets).toEqual({ '{env:TEST_TOKEN}': 'from the environment', [`{file:${ca}}`]: 's3cret\n' });
  const file = folder.in('secrets.json');
  await writeFile(file, JSON.stringify({ ...secrets, '{env:TEST_TOKEN}': 'from afar' }));
  vi.stubEnv(SECRETS_VARIABLE, file);
  expect(documentAddress(named, 'd', inMessages)).toMatchObject({ url: 'ws://h/d?key=from afar', ca: 's3cret\n' });
  vi.unstubAllEnvs();
});

test('so does the address of a database', () => {
  const url = 'postgres://me:{env:TEST_TOKEN}@db/postgres';
  expect(databaseAddress(url)).toBe('postgres://me:from%20the%20environment@db/postgres');
  expect(secretsOf([], [url])).toEqual({ '{env:TEST_TOKEN}': 'from the environment' });
  expect(() => databaseAddress('redis://:{env:NOT_SET_ANYWHERE}@db')).toThrow(
    'NOT_SET_ANYWHERE, which the address of a database names, is not set',
  );
});

test('certificates that no variable can hold are refused', async () => {
  const ca = folder.in('bundle.pem');
  await writeFile(ca, 'x'.repeat(100_001));
  expect(() => documentAddress({ ...server, ca }, 'd', inMessages)).toThrow('holds more than 100 kB');
});
