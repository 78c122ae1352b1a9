/** Hocuspocus on the project's own listener: in memory and alone, or with its own extensions for a store and for several servers. */
import { type Extension, Hocuspocus } from '@hocuspocus/server';
import { frameworkServer } from '../listen.ts';
import type { Connections, FrameworkServer } from '../server.ts';
import { extensionsFor } from './extensions.ts';

/** Hocuspocus drops users after this much silence. If no cursors travel, silence means nothing: a day. */
const SILENCE_ALLOWED_MS = 86_400_000;

/** Without a store, a document stays when its last user leaves: nothing else keeps it. Rejecting is how the library is told. */
const STAYS: Extension = { beforeUnloadDocument: () => Promise.reject() };

const inMemory = frameworkServer((connections) => serve(connections, [STAYS]));

export const server: FrameworkServer = {
  serve: inMemory.serve,
  async start({ backing, ...address }) {
    if (backing?.store === undefined && backing?.together === undefined) return inMemory.start(address);
    const extensions = await extensionsFor(backing);
    const isKept = backing.store !== undefined;
    if (!isKept) extensions.push(STAYS);
    return frameworkServer((connections) => serve(connections, extensions, { isKept })).start(address);
  },
};

function serve(connections: Connections, extensions: readonly Extension[], { isKept } = { isKept: false }) {
  const hocuspocus = new Hocuspocus({ quiet: true, timeout: SILENCE_ALLOWED_MS, extensions: [...extensions] });
  serveOn(connections, hocuspocus);
  return async () => {
    if (isKept) await untilUnloaded(hocuspocus);
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
  connections.on('connection', (socket, request) => {
    const connection = hocuspocus.handleConnection(
      // `send` of `ws` takes what Hocuspocus sends; its type only names it otherwise.
      socket as Parameters<typeof hocuspocus.handleConnection>[0],
      new Request(new URL(request.url ?? '/', 'http://hocuspocus')),
    );
    socket.on('message', (data: Buffer) => connection.handleMessage(data));
    socket.on('close', (code, reason) => connection.handleClose({ code, reason: reason.toString() }));
  });
}
