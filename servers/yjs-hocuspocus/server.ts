/** Hocuspocus on the project's own listener: in memory and alone, or with its own extensions for a store and for several servers. */
import type { IncomingMessage } from 'node:http';
import { type Extension, Hocuspocus } from '@hocuspocus/server';
import type { WebSocket } from 'ws';
import { frameworkServer } from '../listen.ts';
import { ALONE_IN_MEMORY, type Backing, type Connections, type FrameworkServer } from '../server.ts';
import { extensionsFor } from './extensions.ts';

/** Hocuspocus drops users after this much silence. If no cursors travel, silence means nothing: a day. */
const SILENCE_ALLOWED_MS = 86_400_000;
/** RFC 6455, section 7.4.1: the server cannot go on. */
const INTERNAL_ERROR = 1011;

/** Without a store, a document stays when its last user leaves: nothing else keeps it. Rejecting is how the library is told. */
const STAYS: Extension = { beforeUnloadDocument: () => Promise.reject() };

export const server: FrameworkServer = {
  serve: (connections, backing = ALONE_IN_MEMORY) => serve(connections, open(backing), backing),
  async start({ backing = ALONE_IN_MEMORY, ...address }) {
    // A store that does not answer fails the start.
    const hocuspocus = await open(backing);
    return frameworkServer((connections) => serve(connections, hocuspocus, backing)).start(address);
  },
};

/** Alone and in memory it is there at once; extensions are loaded first. */
function open(backing: Backing): Hocuspocus | Promise<Hocuspocus> {
  const create = (extensions: Extension[]) => new Hocuspocus({ quiet: true, timeout: SILENCE_ALLOWED_MS, extensions });
  const { store, together } = backing;
  if (store === undefined && together === undefined) return create([STAYS]);
  return extensionsFor(backing).then((extensions) => create(store === undefined ? [...extensions, STAYS] : extensions));
}

function serve(connections: Connections, opening: Hocuspocus | Promise<Hocuspocus>, { store }: Backing) {
  if (opening instanceof Hocuspocus) serveOn(connections, opening);
  else serveOnceOpen(connections, opening);
  return async () => {
    const hocuspocus = await opening;
    if (store !== undefined) await untilUnloaded(hocuspocus);
    hocuspocus.flushPendingStores();
    for (const document of hocuspocus.documents.values()) document.destroy();
    await hocuspocus.hooks('onDestroy', { instance: hocuspocus });
  };
}

/** As the `Server` of the library ends: resolves once each document is stored and let go. */
function untilUnloaded(hocuspocus: Hocuspocus): Promise<void> {
  return new Promise((resolve) => {
    const resolveIfEmpty = async () => {
      if (hocuspocus.getDocumentsCount() === 0) resolve();
    };
    hocuspocus.configuration.extensions.push({ afterUnloadDocument: resolveIfEmpty });
    resolveIfEmpty();
    hocuspocus.closeConnections();
    hocuspocus.flushPendingStores();
  });
}

/** Hands each connection to Hocuspocus. */
export function serveOn(connections: Connections, hocuspocus: Hocuspocus): void {
  connections.on('connection', (socket, request) => accept(hocuspocus, socket, request));
}

/** A client that comes earlier waits, and is told if it cannot be opened. */
function serveOnceOpen(connections: Connections, opening: Promise<Hocuspocus>): void {
  opening.catch(() => {});
  connections.on('connection', async (socket, request) => {
    socket.pause();
    const hocuspocus = await opening.catch(() => null);
    if (hocuspocus === null) socket.close(INTERNAL_ERROR, 'the server cannot be opened');
    else if (socket.readyState === socket.OPEN) accept(hocuspocus, socket, request);
    socket.resume();
  });
}

function accept(hocuspocus: Hocuspocus, socket: WebSocket, request: IncomingMessage): void {
  const connection = hocuspocus.handleConnection(
    // `send` of `ws` takes what Hocuspocus sends; its type only names it otherwise.
    socket as Parameters<typeof hocuspocus.handleConnection>[0],
    new Request(new URL(request.url ?? '/', 'http://hocuspocus')),
  );
  socket.on('message', (data: Buffer) => connection.handleMessage(data));
  socket.on('close', (code, reason) => connection.handleClose({ code, reason: reason.toString() }));
}
