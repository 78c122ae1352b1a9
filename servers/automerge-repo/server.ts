/** automerge-repo: a repository behind the library's own WebSocket adapter, in memory unless something stands behind it. */
import { Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { SEED } from '../../editors/automerge/rich-text.ts';
import { documentIdOf } from '../../editors/automerge-repo/document-id.ts';
import { frameworkServer } from '../listen.ts';
import { ALONE_IN_MEMORY } from '../server.ts';
import { serveBacked } from './backed.ts';

/** The same class: the adapter's types reach it through CommonJS, where its members are declared in another form. */
type AdapterSockets = ConstructorParameters<typeof WebSocketServerAdapter>[0];

export const server = frameworkServer((connections, backing = ALONE_IN_MEMORY) => {
  if (backing.store !== undefined || backing.together !== undefined) return serveBacked(connections, backing);
  const repo = new Repo({
    network: [new WebSocketServerAdapter(connections as unknown as AdapterSockets)],
    // Documents are announced to nobody who did not ask for them.
    sharePolicy: async () => false,
  });
  connections.on('connection', (_socket, request) => {
    // The document is there before the client can ask for it.
    const docId = documentIdOf((request.url ?? '/').slice(1));
    if (!(docId in repo.handles)) repo.import(SEED, { docId });
  });
  return () => repo.shutdown();
});
