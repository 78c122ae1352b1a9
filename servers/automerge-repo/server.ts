/** automerge-repo: a repository in memory, behind the library's own WebSocket adapter. */
import { createServer } from 'node:http';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { SEED } from '../../editors/automerge/rich-text.ts';
import { documentIdOf } from '../../editors/automerge-repo/document-id.ts';
import { listen, webSocketsOn } from '../listen.ts';
import type { FrameworkServer } from '../server.ts';

/** The same class: the adapter's types reach it through CommonJS, where its members are declared in another form. */
type AdapterSockets = ConstructorParameters<typeof WebSocketServerAdapter>[0];

export const server: FrameworkServer = {
  async start(options) {
    const http = createServer();
    const sockets = webSocketsOn(http);
    const repo = new Repo({
      network: [new WebSocketServerAdapter(sockets as unknown as AdapterSockets)],
      // Documents are announced to nobody who did not ask for them.
      sharePolicy: async () => false,
    });
    sockets.on('connection', (_socket, request) => {
      // The document is there before the client can ask for it.
      const docId = documentIdOf((request.url ?? '/').slice(1));
      if (!(docId in repo.handles)) repo.import(SEED, { docId });
    });
    const running = await listen({ http, sockets, ...options });
    return {
      port: running.port,
      async stop() {
        await running.stop();
        await repo.shutdown();
      },
    };
  },
};
