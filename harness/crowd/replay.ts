/**
 * Replay of all that a trial's users sent, in another order, to a server of its own: first the crowd's messages, then the
 * probes'. A fresh replica then joins. It must hold the document that the probes hold; otherwise the trial's server or the
 * probes lost something. Each message still follows those that its author had seen, since the crowd saw nothing of the
 * probes. Some libraries require that order; others are spared holding messages back.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { digest } from '../../editors/base/delta.ts';
import type { FrameworkClient } from '../../editors/base/framework.ts';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import type { Frame } from '../../infra/virtual/network.ts';
import type { FrameworkServer } from '../../servers/server.ts';
import type { Sent } from '../trial/protocol.ts';
import { SENT_ENDING } from '../trial/trial-files.ts';
import { clientFrame, openPlayedSocket, type PlayedSocket } from './played-socket.ts';
import type { RecordedUser } from './recording.ts';

interface SentByAll {
  /** Path of one user's address: one connection carries all messages, since nobody but the newcomer listens. */
  path: string;
  frames: readonly Frame[];
}

/** @param probes the probes' frames, in the order in which they were sent */
export function inAnotherOrder(crowd: readonly RecordedUser[], probes: readonly Frame[]): SentByAll {
  const [first] = crowd;
  if (first === undefined) throw new Error('there is no crowd');
  const typed = crowd.flatMap(({ frames }) => frames).sort((a, b) => a.dueMs - b.dueMs);
  return { path: first.path, frames: [...first.opening, ...typed.map(({ frame }) => frame), ...probes] };
}

const DRAIN_PERIOD_MS = 5;
/** The document must stay as it is for so long. */
const REST_MS = 500;
const SETTLE_LIMIT_MS = 30_000;

/**
 * @returns the digest of the document's model
 * @throws Error if the server refuses a connection or ends one, or the document does not come to rest
 */
export async function replay(options: {
  server: FrameworkServer;
  client: FrameworkClient;
  documentId: string;
  sent: SentByAll;
}): Promise<string> {
  const { server, client, documentId, sent } = options;
  const running = await server.start({ host: '127.0.0.1', port: 0 });
  const url = `ws://127.0.0.1:${running.port}`;
  const lost = Promise.withResolvers<never>();
  const onLost = (reason: string) => lost.reject(new Error(reason));
  let socket: PlayedSocket | null = null;
  const drain = setInterval(() => socket?.drain(), DRAIN_PERIOD_MS);
  const playAll = async () => {
    // It stays until the end: some servers forget a document that nobody has open.
    socket = await openPlayedSocket({ url: new URL(`${url}${sent.path}`), onLost });
    for (const frame of sent.frames) socket.send(clientFrame(frame));
    await socket.ping();
    return restingDigest({ client, url, documentId, onLost });
  };
  try {
    return await Promise.race([playAll(), lost.promise]);
  } finally {
    clearInterval(drain);
    (socket as PlayedSocket | null)?.close();
    await running.stop();
  }
}

async function restingDigest(options: {
  client: FrameworkClient;
  url: string;
  documentId: string;
  onLost: (reason: string) => void;
}): Promise<string> {
  const { client, ...where } = options;
  const { editor } = createNoQuillScreen(null);
  const batching = { receiveMs: 0, sendMs: 0 };
  const replica = await client.join({ ...where, editor, batching, onReconnected: () => {} });
  try {
    let last = '';
    for (const endMs = performance.now() + SETTLE_LIMIT_MS; performance.now() < endMs; await wait(REST_MS)) {
      const now = await digest(replica.contents());
      if (now === last) return now;
      last = now;
    }
    throw new Error(`the document did not come to rest within ${SETTLE_LIMIT_MS / 1000} s`);
  } finally {
    await replica.leave();
  }
}

/** All that the probes of a trial sent, in the order of their screens' clocks, which are one machine's clock. */
export async function readSent(trialDirectory: string): Promise<Frame[]> {
  const folder = join(trialDirectory, 'documents');
  const names = (await readdir(folder)).filter((name) => name.endsWith(SENT_ENDING)).sort();
  const connections = await Promise.all(
    names.map(async (name): Promise<Sent[]> => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
  return connections
    .flat()
    .flatMap(({ frames }) => frames)
    .sort((a, b) => a.atMs - b.atMs)
    .map(sentFrame);
}

/** A message as it was sent. */
export function sentFrame(frame: Sent['frames'][number]): Frame {
  return 'text' in frame ? frame.text : Buffer.from(frame.base64, 'base64');
}
