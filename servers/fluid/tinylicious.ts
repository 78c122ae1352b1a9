/** Tinylicious in this process, put together as its own `main` does, but for the port: it would listen on all interfaces. */
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Tinylicious {
  /** Does not listen: requests are emitted at it. */
  http: Server;
  close(): Promise<void>;
}

/** The library's default names. */
const collectionNames = {
  nodes: 'nodes',
  documents: 'documents',
  checkpoints: 'checkpoints',
  deltas: 'deltas',
  scribeDeltas: 'scribeDeltas',
};

/**
 * @param options.port   where it reaches itself: what is stored, one half of it asks of the other
 * @param options.folder for summaries, which it writes as Git objects
 */
export async function createTinylicious({ port, folder }: { port: number; folder: string }): Promise<Tinylicious> {
  const require = createRequire(fileURLToPath(import.meta.resolve('tinylicious')));
  const { TinyliciousResourcesFactory } = require('./resourcesFactory.js');
  const { TinyliciousRunner } = require('./runner.js');
  const { Provider } = require('nconf');
  require('winston').configure({ silent: true });
  const config = new Provider().defaults({
    logger: { morganFormat: 'tiny' },
    alfred: { maxMessageSize: '16KB', restJsonSize: '16mb' },
    mongo: { collectionNames },
    db: { inMemory: true },
    storage: folder,
  });
  // The only way to tell it.
  process.env.PORT = String(port);
  const resources = await new TinyliciousResourcesFactory().create(config);
  const opened = Promise.withResolvers<Tinylicious>();
  const factory = {
    create(app: unknown) {
      const web = resources.webServerFactory.create(app);
      web.httpServer.listen = () => {};
      opened.resolve({ http: Reflect.get(web.httpServer, 'server'), close: () => web.webSocketServer.close() });
      return web;
    },
  };
  const { orderManager, tenantManager, storage, mongoManager, collaborationSessionEventEmitter } = resources;
  const runner = new TinyliciousRunner(
    factory,
    config,
    // As a name it is not looked for whether it is free.
    'elsewhere',
    orderManager,
    tenantManager,
    storage,
    mongoManager,
    collaborationSessionEventEmitter,
  );
  runner.start().catch(opened.reject);
  return opened.promise;
}
