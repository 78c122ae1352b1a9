/** Serves the status page of a run: it shows what `RunStatus` says, and follows it by server-sent events. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { RunStatus } from './run-status.ts';

const UPDATE_PERIOD_MS = 1000;

export interface StatusPage {
  address: string;
  stop(): Promise<void>;
}

/** Listens on a free port of the loopback interface. */
export async function serveStatusPage(status: () => RunStatus): Promise<StatusPage> {
  const page = await readFile(join(import.meta.dirname, 'status-page.html'));
  const followers = new Set<ServerResponse>();
  const tell = (follower: ServerResponse) => follower.write(`data: ${JSON.stringify(status())}\n\n`);
  const http = createServer((request, response) => {
    switch (request.url) {
      case '/':
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
        return;
      case '/status.json':
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(status()));
        return;
      case '/events':
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
        followers.add(response);
        response.on('close', () => followers.delete(response));
        tell(response);
        return;
      default:
        response.writeHead(404).end('no such page');
    }
  });
  const timer = setInterval(() => followers.forEach(tell), UPDATE_PERIOD_MS);
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(0, '127.0.0.1', resolve);
  });
  const { port } = http.address() as { port: number };
  return {
    address: `http://127.0.0.1:${port}/`,
    async stop() {
      clearInterval(timer);
      followers.forEach(tell);
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
