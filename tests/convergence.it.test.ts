/**
 * Sessions with NoQuill over a real server, without Chrome: what they tell of sigils, of their own edits and of what was saved. Worlds show
 * of each server that its users agree (frameworks/explore/frameworks.it.test.ts), and `check` of each framework, in Chrome.
 */
import * as prng from 'lib0/prng';
import { afterEach, expect, test } from 'vitest';
import type { Screen } from '../editors/base/editor.ts';
import type { Batching, FrameworkClient } from '../editors/base/framework.ts';
import { createNoQuillScreen } from '../editors/base/noquill/screen.ts';
import { openSession, type Session } from '../editors/base/page/session.ts';
import { findFramework } from '../frameworks/discover.ts';
import { loadServer } from '../frameworks/framework.ts';
import type { RunningServer } from '../servers/server.ts';

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
  server = await (await loadServer(await findFramework(framework))).start({ host: '127.0.0.1', port: 0 });
}

const AT_ONCE: Batching = { receiveMs: 0, sendMs: 0 };
const IN_BATCHES: Batching = { receiveMs: 10, sendMs: 30 };

/** One user for each batching. */
async function join(framework: string, ...batchings: Batching[]): Promise<Client[]> {
  const module: { client: FrameworkClient } = await import(`../editors/${framework}/client.ts`);
  for (const batching of batchings) {
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
/** A server has noticed by then that the last one left. */
const GONE_MS = 200;
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

/** One that merges, and one whose server transforms. */
test.each(['yjs', 'sharedb'])(
  '%s: replicas and editors agree, a late joiner too, also when all have left, and no edit is lost',
  async (framework) => {
    await serve(framework);
    const [first] = await join(framework, AT_ONCE, IN_BATCHES, IN_BATCHES);
    const seed = 20_231;
    await editAtRandom(prng.create(seed), ROUNDS);
    expect(await settled(), `seed ${seed}`).toBe(true);
    const own = clients.map(({ session }) => session.ownEdits());
    const inserted = own.reduce((sum, each) => sum + each.insertedCharacters, 0);
    const deleted = own.reduce((sum, each) => sum + each.deletedCharacters, 0);
    expect(first!.session.characters()).toBeGreaterThanOrEqual(1 + inserted - deleted);
    await join(framework, AT_ONCE);
    for (const [index, key] of [...'0a@f3'].entries()) first!.screen.editor.insertText(index, key, 'user');
    expect(await settled()).toBe(true);
    for (const { session, sigils } of clients) {
      // Half of it, before other letters, reads as others that nobody typed.
      expect(sigils.filter((sigil) => sigil === '0a@f3')).toHaveLength(1);
      const { modelDigest } = await session.state();
      expect(await session.savedDigest()).toBe(modelDigest);
    }
    const { modelDigest } = await first!.session.state();
    await Promise.all(clients.splice(0).map(({ session }) => session.leave()));
    await pause(GONE_MS);
    const [last] = await join(framework, AT_ONCE);
    expect((await last!.session.state()).modelDigest).toBe(modelDigest);
  },
);
