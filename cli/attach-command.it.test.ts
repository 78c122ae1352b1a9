/** Commands at servers as others start them; their users sit in Node, in processes of their own. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  CERTIFICATE,
  type Foreign,
  startAnswering,
  startHocuspocus,
  startShareDb,
  startTls,
  startYWebsocket,
} from '../harness/attached/test-data/foreign-servers.ts';
import { scriptorium } from '../tests/command-line.ts';
import { folderOfAllTests } from '../tests/folders.ts';

const TOKENS = { writer: 'a-s3cret-that-writes', reader: 'a-s3cret-that-reads' };
const SHORT = [
  '--modes',
  'node',
  '--users',
  '2',
  '--warm-up',
  '1s',
  '--measure',
  '6s',
  '--settle',
  '20s',
  '--seed',
  '3',
];
const folder = folderOfAllTests();
let yWebsocket: Foreign & { pid: number };
let hocuspocus: Foreign;
let tls: Foreign;
let shareDb: Foreign;
beforeAll(async () => {
  vi.stubEnv('WRITER', TOKENS.writer);
  vi.stubEnv('READER', TOKENS.reader);
  [yWebsocket, hocuspocus, shareDb] = await Promise.all([startYWebsocket(), startHocuspocus(TOKENS), startShareDb()]);
  tls = await startTls(hocuspocus.port);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([yWebsocket, hocuspocus, tls, shareDb].map((server) => server.stop()));
});

test('an experiment’s users type at three servers; what is seen of one is told, and the secret of the other is kept nowhere', async () => {
  const out = folder.in('two');
  const file = folder.in('two.yaml');
  await writeFile(
    file,
    `frameworks: [yjs, yjs-hocuspocus, sharedb-stock]
servers:
  - { framework: yjs, url: "ws://127.0.0.1:${yWebsocket.port}", pid: ${yWebsocket.pid} }
  - { framework: yjs-hocuspocus, url: "wss://localhost:${tls.port}/a/path", ca: ${CERTIFICATE}, token: "{env:WRITER}" }
  - { framework: sharedb-stock, url: "ws://127.0.0.1:${shareDb.port}" }
modes: node
users: 2
trials: 1
durations: { warmUp: 1s, measure: 5s, profile: 0s, settle: 20s }
typing: { sigilPeriod: 2s }
`,
  );
  const { stdout, stderr } = await scriptorium('run', file, '-o', out);
  const { cells } = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'));
  const of = (name: string) => cells.find(({ framework }: { framework: string }) => framework === name);
  expect(of('yjs'), stderr).toMatchObject({ verdict: 'valid', converged: true, serverNetworkKiBps: { sent: null } });
  expect(of('yjs').serverCpuPercent).toBeGreaterThan(0);
  expect(of('yjs').notes).toContainEqual(
    expect.stringMatching(/the server: may keep the document scriptorium-[0-9a-f]{8}-yjs-node-2-1/),
  );
  expect(of('yjs-hocuspocus')).toMatchObject({ verdict: 'valid', converged: true, serverCpuPercent: null });
  expect(of('sharedb-stock')).toMatchObject({ verdict: 'valid', converged: true });
  for (const path of await readdir(out, { recursive: true })) {
    const content = await readFile(join(out, path)).catch(() => Buffer.alloc(0));
    const text = path.endsWith('.gz') ? gunzipSync(content) : content;
    expect(text.includes(TOKENS.writer), path).toBe(false);
  }
  expect(stdout + stderr).not.toContain(TOKENS.writer);
}, 120_000);

test('text that stood in a document that may be spoilt is no fault of the framework’s', async () => {
  const url = `ws://127.0.0.1:${yWebsocket.port}`;
  const attach = async (out: string) => {
    const where = ['--document', 'kept', '--write', '-o', folder.in(out)];
    const { stderr } = await scriptorium('attach', url, '--framework', 'yjs', ...SHORT, ...where);
    const { cells } = JSON.parse(await readFile(folder.in(out, 'summary.json'), 'utf8'));
    return { cell: cells[0], stderr };
  };
  const { cell: before } = await attach('new');
  const { cell, stderr } = await attach('spoilt');
  expect(cell.documentCharacters).toBeGreaterThan(before.documentCharacters);
  expect(cell, stderr).toMatchObject({ converged: true, reasons: [] });
});

test.each([
  ['a token that only reads', () => ['--token', '{env:READER}'], 3, 'the token may only read'],
  ['a token that is refused', () => ['--token', '{env:PATH}'], 3, 'the server gives out no document'],
  ['a secret in the arguments', () => ['--token', TOKENS.writer], 2, 'stands there for everyone to read'],
  ['a variable that is not set', () => ['--token', '{env:NOT_SET}'], 2, 'NOT_SET, which an attached server'],
  ['more users than by mistake', () => ['--users', '101'], 2, '101 users are more than 100; say --yes'],
  ['an address that is each container’s own', () => ['--on', 'compose'], 2, 'write an address that all reach'],
])('%s is refused, and nothing is written', async (_what, args, code, message) => {
  const url = `ws://127.0.0.1:${hocuspocus.port}`;
  const out = folder.in('refused');
  const given = ['attach', url, '--framework', 'yjs-hocuspocus', '--modes', 'node', '-o', out, ...args()];
  expect(await scriptorium(...given)).toMatchObject({ code, stderr: expect.stringContaining(message) });
});

test('another protocol than the framework’s is named', async () => {
  const url = `ws://127.0.0.1:${hocuspocus.port}`;
  expect(await scriptorium('attach', url, '--framework', 'yjs', ...SHORT, '-o', folder.in('other'))).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Hocuspocus (Yjs; Tiptap’s servers) answered, which yjs does not speak'),
  });
  expect(await scriptorium('hello', url, '--token', '{env:WRITER}')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      `./scriptorium attach ${url} --framework yjs-hocuspocus --users 4 --token '{env:WRITER}'`,
    ),
  });
  expect(await scriptorium('hello', 'http://example.org')).toMatchObject({ code: 2 });
  const told = { code: 2, stderr: expect.stringContaining('the token stands there for everyone to read') };
  expect(await scriptorium('hello', url, '--token', TOKENS.writer)).toMatchObject(told);
});

test('hello tells both refusals of a server that has documents behind its path, and nothing before it', async () => {
  const server = await startAnswering(({ url }, response) => response.writeHead(url === '/' ? 404 : 401).end());
  const { code, stderr } = await scriptorium('hello', `ws://127.0.0.1:${server.port}/`);
  await server.stop();
  expect(code).toBe(3);
  expect(stderr).toMatch(/HTTP 401 \(permission\).*; without a document’s name behind the address, .*HTTP 404 /s);
});
