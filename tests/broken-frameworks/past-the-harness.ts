/** Ways past what the harness counts, delays and watches: they make figures better, and nothing of the document wrong. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { compactLog } from '../../editors/yjs-relay/document.ts';
import { createRelay } from '../../servers/relay.ts';
import type { RunningServer } from '../../servers/server.ts';
import { type BrokenFramework, brokenJoin, honest } from './broken-framework.ts';

/** Runs work that belongs to no user, as a page's worker belongs to no page. */
const outsideOfUsers = AsyncLocalStorage.snapshot();

/**
 * Users reach another process than the server that was started, by its own address, through sockets that no user's page has: a
 * server that moved into a service, a client that negotiates where to go, an engine in a worker.
 */
export function goesPastTheHarness(): BrokenFramework {
  const service = createRelay({ compact: compactLog });
  let running: RunningServer | null = null;
  const { client } = brokenJoin((join, options) => {
    const url = new URL(options.url);
    return outsideOfUsers(() => join({ ...options, url: `ws://127.0.0.1:${running!.port}${url.pathname}` }));
  });
  return {
    client,
    server: {
      async start(options) {
        running = await service.start({ ...options, port: 0 });
        const started = await honest.server.start(options);
        return { ...started, stop: async () => void (await Promise.all([started.stop(), running!.stop()])) };
      },
    },
  };
}
