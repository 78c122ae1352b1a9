/** Frameworks without Chrome: sessions with NoQuill over the framework's real server, on loopback. */
import * as prng from 'lib0/prng';
import { afterEach, describe, expect, test } from 'vitest';
import type { Screen } from '../editors/base/editor.ts';
import type { Batching, FrameworkClient } from '../editors/base/framework.ts';
import { createNoQuillScreen } from '../editors/base/noquill/screen.ts';
import { openSession, type Session } from '../editors/base/page/session.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { loadServer, type RunningServer } from '../servers/server.ts';

interface Client {
  screen: Screen;
  session: Session;
  sigils: string[];
  lost: string[];
}

let server: RunningServer;
let clients: Client[] = [];
/** The Yjs server keeps its documents per process, so each test takes a new one. */
let documents = 0;
let documentId = '';
afterEach(async () => {
  await Promise.all(clients.map(({ session }) => session.leave()));
  clients = [];
  await server.stop();
});

async function serve(framework: string): Promise<void> {
  documentId = `document-${documents++}`;
  server = await (await loadServer(framework)).start({ host: '127.0.0.1', port: 0 });
}

async function join(framework: string, count: number, batching: Batching): Promise<Client[]> {
  const module: { client: FrameworkClient } = await import(`../editors/${framework}/client.ts`);
  for (let index = 0; index < count; index++) {
    const screen = createNoQuillScreen(null);
    const sigils: string[] = [];
    const lost: string[] = [];
    const session = await openSession({
      client: module.client,
      screen,
      url: `ws://127.0.0.1:${server.port}`,
      documentId,
      batching,
      onSigil: (sigil) => sigils.push(sigil),
      onLost: (reason) => lost.push(reason),
      onReconnected: () => {},
    });
    clients.push({ screen, session, sigils, lost });
  }
  return clients;
}

/** On an idle machine it takes some ten milliseconds. */
const SETTLE_LIMIT_MS = 10_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Every client types, deletes and formats at random, so that edits cross on the way. */
async function editAtRandom(generator: prng.PRNG, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const { screen, session } of clients) {
      const { editor } = screen;
      session.move(prng.int32(generator, -20, 20));
      const { index } = editor.getSelection()!;
      const kind = prng.int32(generator, 0, 9);
      if (kind < 6) editor.insertText(index, prng.word(generator, 1, 3), 'user');
      else if (kind < 8) editor.deleteText(index, Math.min(2, editor.getLength() - 1 - index), 'user');
      else editor.formatText(index, 3, { bold: prng.bool(generator) }, 'user');
    }
    if (prng.bool(generator)) await pause(1);
  }
}

async function settled(): Promise<boolean> {
  for (const untilMs = performance.now() + SETTLE_LIMIT_MS; performance.now() < untilMs; ) {
    const states = await Promise.all(clients.map(({ session }) => session.state()));
    const [first] = states;
    if (
      states.every((state) => state.modelDigest === first!.modelDigest && state.editorDigest === state.shownModelDigest)
    ) {
      return true;
    }
    await pause(20);
  }
  return false;
}

const ROUNDS = 150;
/** Where so many edits at once are known to take too long. */
const FEW_ROUNDS = 20;

// Frameworks that need more than npm brings are tried beside their servers.
const frameworks = (await discoverFrameworks()).filter(
  ({ about }) => !about.oneWriter && !about.needsInternet && about.onDemand === undefined && about.needs === undefined,
);
const cases = frameworks.flatMap(({ name, about: { knownIssues = [] } }) => {
  const rounds = knownIssues.some(({ properties }) => properties.includes('random')) ? FEW_ROUNDS : ROUNDS;
  return [
    { framework: name, rounds, sending: 'at once', batching: { receiveMs: 0, sendMs: 0 } },
    { framework: name, rounds, sending: 'in batches', batching: { receiveMs: 10, sendMs: 30 } },
  ];
});

describe.each(cases)('$framework, sending $sending', ({ framework, rounds, batching }) => {
  test('replicas and editors end equal, none of the edits is lost, and a late joiner gets the same', async () => {
    await serve(framework);
    await join(framework, 3, batching);
    const seed = 20_231;
    await editAtRandom(prng.create(seed), rounds);
    expect(await settled(), `seed ${seed}`).toBe(true);
    const own = clients.map(({ session }) => session.ownEdits());
    const inserted = own.reduce((sum, each) => sum + each.insertedCharacters, 0);
    const deleted = own.reduce((sum, each) => sum + each.deletedCharacters, 0);
    expect(clients[0]!.session.characters()).toBeGreaterThanOrEqual(1 + inserted - deleted);
    await join(framework, 1, batching);
    expect(await settled()).toBe(true);
    for (const { session } of clients) {
      const { modelDigest } = await session.state();
      expect(await session.savedDigest()).toBe(modelDigest);
    }
  });

  test('a sigil typed by one client shows at all, once', async () => {
    await serve(framework);
    const [first] = await join(framework, 3, batching);
    for (const [index, key] of [...'0a3f@'].entries()) first!.screen.editor.insertText(index, key, 'user');
    await settled();
    for (const { sigils } of clients) expect(sigils).toEqual(['0a3f@']);
  });
});

describe('a server that goes away', () => {
  test('is told, once, where the client does not reconnect', async () => {
    await serve('loopback');
    const [lone] = await join('loopback', 1, { receiveMs: 0, sendMs: 0 });
    await server.stop();
    while (lone!.lost.length === 0) await pause(5);
    expect(lone!.lost).toEqual([expect.stringContaining('the loopback server closed the connection')]);
  });
});

describe('loopback', () => {
  test('follows one writer, also for who comes late', async () => {
    await serve('loopback');
    const [writer] = await join('loopback', 2, { receiveMs: 10, sendMs: 0 });
    for (let index = 0; index < 50; index++) writer!.screen.editor.insertText(index, 'x', 'user');
    await join('loopback', 1, { receiveMs: 0, sendMs: 0 });
    expect(await settled()).toBe(true);
    expect(clients[2]!.session.characters()).toBe(51);
  });

  test('with two writers it diverges, and the proof of convergence sees it', async () => {
    await serve('loopback');
    const [first, second] = await join('loopback', 2, { receiveMs: 0, sendMs: 0 });
    first!.screen.editor.insertText(0, 'a', 'user');
    second!.screen.editor.insertText(0, 'b', 'user');
    await pause(50);
    const [one, other] = await Promise.all(clients.map(({ session }) => session.state()));
    expect(one!.modelDigest).not.toBe(other!.modelDigest);
  });
});
