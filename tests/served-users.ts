/** Users of a framework with NoQuill, at its own server, over a line that can be cut. For tests. */
import { expect } from 'vitest';
import { canonicalDelta } from '../editors/base/delta.ts';
import type { FrameworkClient, Presence, Replica } from '../editors/base/framework.ts';
import { createNoQuillScreen, type NoQuillScreen } from '../editors/base/noquill/screen.ts';
import { findFramework } from '../frameworks/discover.ts';
import { loadClient, loadServer } from '../frameworks/framework.ts';
import type { Backing, FrameworkServer, RunningServer } from '../servers/server.ts';
import { type BreakableLine, createBreakableLine } from './breakable-line.ts';

const HOST = '127.0.0.1';
const LIMIT_MS = 30_000;
const POLL_MS = 10;

export interface User extends NoQuillScreen {
  replica: Replica;
  /** The reasons for which its connection was gone for good. */
  lost: string[];
  reconnections: number;
  /** How many times others changed this user's editor. */
  remoteChanges: number;
}

export interface JoinOptions {
  /** The line's or the server's; by default the server's. */
  port?: number;
  receiveMs?: number;
  sendMs?: number;
  presence?: Presence;
  /** It brings the document's beginning, as at a server that has none. */
  begins?: boolean;
}

export interface ServedUsers {
  documentId: string;
  /** Those who are there. */
  users: User[];
  server: RunningServer;
  line: BreakableLine;
  join(options?: JoinOptions): Promise<User>;
  leave(user: User): Promise<void>;
  /** Ends the server, and starts another one at its port once `meanwhile` is done. */
  restart(meanwhile: () => void): Promise<void>;
  /** True if all replicas and editors hold the same, or those of the users given. */
  agree(users?: readonly User[]): boolean;
  close(): Promise<void>;
}

/** A yjs server keeps its documents per process, so each has a name of its own. */
let documents = 0;

export interface Halves {
  client: FrameworkClient;
  server: FrameworkServer;
}

/**
 * @param framework one of the project, or its halves
 * @param backing   the store behind its server, which is there when the server starts again
 */
export async function serveUsers(
  framework: string | Halves,
  documentId = `served-${documents++}`,
  backing?: Backing,
): Promise<ServedUsers> {
  const halves = typeof framework === 'string' ? await halvesOf(framework) : framework;
  const { client } = halves;
  const server = await halves.server.start({ host: HOST, port: 0, backing });
  const served: ServedUsers = {
    documentId,
    users: [],
    server,
    line: await createBreakableLine({ host: HOST, port: server.port }),
    async join({ port = server.port, receiveMs = 0, sendMs = 0, presence, begins } = {}) {
      const screen = createNoQuillScreen(null, { hasCursors: presence !== undefined });
      const user: User = Object.assign(screen, {
        lost: [],
        reconnections: 0,
        remoteChanges: 0,
        replica: null as never,
      });
      user.replica = await client.join({
        url: `ws://${HOST}:${port}`,
        documentId,
        editor: user.editor,
        batching: { receiveMs, sendMs },
        ...(presence && { presence }),
        begins,
        onLost: (reason) => user.lost.push(reason),
        onReconnected: () => user.reconnections++,
      });
      user.editor.on('text-change', (_change, _before, source) => {
        if (source !== 'user') user.remoteChanges++;
      });
      served.users.push(user);
      return user;
    },
    async leave(user) {
      served.users = served.users.filter((other) => other !== user);
      await user.replica.leave();
    },
    async restart(meanwhile) {
      await served.server.stop();
      meanwhile();
      served.server = await halves.server.start({ host: HOST, port: server.port, backing });
    },
    agree(users = served.users) {
      const held = users.flatMap(({ editor, replica }) => [replica.contents(), editor.getContents()]);
      return new Set(held.map((delta) => JSON.stringify(canonicalDelta(delta).ops))).size <= 1;
    },
    async close() {
      await Promise.all(served.users.map(({ replica }) => replica.leave()));
      await served.line.stop();
      await served.server.stop();
    },
  };
  return served;
}

async function halvesOf(name: string): Promise<Halves> {
  const framework = await findFramework(name);
  return { client: await loadClient(framework), server: await loadServer(framework) };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until something is seen; fails with the last sight. */
export async function until(seen: () => unknown, wanted: unknown = true): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (JSON.stringify(seen()) !== JSON.stringify(wanted) && performance.now() < end) await pause(POLL_MS);
  expect(seen()).toEqual(wanted);
}
