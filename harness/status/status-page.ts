/** Serves the status page of a run: it shows what `RunStatus` says, and follows it by server-sent events. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bundleScript } from '../../analysis/charts/bundle.ts';
import { readStyle } from '../../analysis/charts/style.ts';
import { SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { watchFinishedCells } from './finished-cells.ts';
import type { RunStatus } from './run-status.ts';

const UPDATE_PERIOD_MS = 1000;
/** How long a browser may take to read what it is told last. */
const FAREWELL_LIMIT_MS = 1000;

export interface StatusPage {
  address: string;
  stop(): Promise<void>;
}

/** Listens on a free port of the loopback interface. */
export async function serveStatusPage(status: () => RunStatus): Promise<StatusPage> {
  const page = await readFile(join(import.meta.dirname, 'status-page.html'));
  const finished = watchFinishedCells(join(resolve(status().directory), SUMMARY_FILE));
  // Built before anything is measured, not when somebody first looks; who asks for it hears of what went wrong.
  const script = bundleScript(join(import.meta.dirname, 'page/status.ts'));
  script.catch(() => {});
  const followers = new Set<ServerResponse>();
  const tellStatus = (follower: ServerResponse) => follower.write(`data: ${JSON.stringify(status())}\n\n`);
  const tellCells = (follower: ServerResponse) =>
    follower.write(`event: cells\ndata: ${JSON.stringify(finished.latest())}\n\n`);
  const follow = async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.on('close', () => followers.delete(response));
    // Who follows already must hear of it too: what has changed is told of once.
    if (await finished.haveChanged()) followers.forEach(tellCells);
    if (response.destroyed) return;
    followers.add(response);
    tellCells(response);
    tellStatus(response);
  };
  const http = createServer((request, response) => {
    const send = (type: string, content: Promise<string | Buffer>) =>
      content.then(
        (body) => response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body),
        (error) => response.writeHead(500).end(String(error)),
      );
    switch (request.url) {
      case '/':
        return send('text/html', Promise.resolve(page));
      case '/style.css':
        return send('text/css', readStyle());
      case '/status.js':
        return send('text/javascript', script);
      case '/status.json':
        return send('application/json', Promise.resolve(JSON.stringify(status())));
      case '/events':
        return follow(response);
      default:
        response.writeHead(404).end('no such page');
    }
  });
  const update = async () => {
    // The cells first: a page that hears of the end listens no longer.
    if (followers.size > 0 && (await finished.haveChanged())) followers.forEach(tellCells);
    followers.forEach(tellStatus);
  };
  const timer = setInterval(update, UPDATE_PERIOD_MS);
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(0, '127.0.0.1', resolve);
  });
  const { port } = http.address() as { port: number };
  return {
    address: `http://127.0.0.1:${port}/`,
    async stop() {
      clearInterval(timer);
      await update();
      // Followers get the rest before their connections close; one that is gone, or does not read, holds nobody up.
      await Promise.race([
        Promise.all([...followers].map((follower) => new Promise<void>((done) => follower.end(done)))),
        setTimeout(FAREWELL_LIMIT_MS, undefined, { ref: false }),
      ]);
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
