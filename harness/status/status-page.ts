/** Serves the status page of a run: the page shows a `RunStatus`, and follows it by server-sent events. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readStyle } from '../../analysis/report/bundle.ts';
import type { TypingCell } from '../../analysis/scenarios/cell.ts';
import { createToken, pathBehindToken } from '../../infra/channel/token.ts';
import { listenOn } from '../../infra/network/listen-on.ts';
import { pageScript } from '../analysis.ts';
import type { RunStatusKeeper } from './run-status-keeper.ts';

const UPDATE_PERIOD_MS = 1000;
/** How long a browser may take to read the last event. */
const FAREWELL_LIMIT_MS = 1000;

type Shown = Pick<RunStatusKeeper, 'now' | 'cells'>;

/**
 * Listens on a free port of the loopback interface, under an address that only who started the run is told: other accounts of
 * this machine reach the port, too, and so do pages of a browser here whose name was made to lead to it.
 */
export async function serveStatusPage(status: Shown) {
  const page = await readFile(join(import.meta.dirname, 'status-page.html'));
  // Built before anything is measured, not when somebody first looks; who asks for it hears of what went wrong.
  const script = pageScript(join(import.meta.dirname, 'page/status.ts'));
  script.catch(() => {});
  const followers = new Followers(status);
  const token = createToken();
  const http = createServer((request, response) => {
    const { port } = http.address() as { port: number };
    const path = isForeign(request, port) ? null : pathBehindToken(request.url, token);
    if (path === null) response.writeHead(403).end('the address is not as the run printed it');
    else answer(path, response, { status, followers, page, script });
  });
  const timer = setInterval(() => followers.tell(), UPDATE_PERIOD_MS);
  const port = await listenOn(http);
  return {
    address: `http://127.0.0.1:${port}/${token}/`,
    async stop(): Promise<void> {
      clearInterval(timer);
      await followers.dismiss();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** True if the request names another host than this machine's loopback, or comes from another origin's page. */
function isForeign({ headers }: IncomingMessage, port: number): boolean {
  const names = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port}`);
  const { host, origin } = headers;
  return !names.includes(host ?? '') || (origin !== undefined && !names.some((name) => origin === `http://${name}`));
}

function answer(
  path: string,
  response: ServerResponse,
  from: { status: Shown; followers: Followers; page: Buffer; script: Promise<string> },
): unknown {
  const send = (type: string, content: Promise<string | Buffer>) =>
    content.then(
      (body) => response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body),
      (error) => response.writeHead(500).end(String(error)),
    );
  switch (path) {
    case '/':
      return send('text/html', Promise.resolve(from.page));
    case '/style.css':
      return send('text/css', readStyle());
    case '/status.js':
      return send('text/javascript', from.script);
    case '/status.json':
      return send('application/json', Promise.resolve(JSON.stringify(from.status.now())));
    case '/events':
      return from.followers.add(response);
    default:
      return response.writeHead(404).end('no such page');
  }
}

/** The pages that follow the run. */
class Followers {
  readonly #status: Shown;
  /** With the cells that each has got. */
  readonly #all = new Map<ServerResponse, readonly TypingCell[] | null>();

  constructor(status: Shown) {
    this.#status = status;
  }

  add(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.on('close', () => this.#all.delete(response));
    this.#all.set(response, null);
    this.#tell(response);
  }

  tell(): void {
    for (const follower of this.#all.keys()) this.#tell(follower);
  }

  /** Followers get the rest before their connections close; one that is gone, or does not read, holds nobody up. */
  async dismiss(): Promise<void> {
    this.tell();
    await Promise.race([
      Promise.all([...this.#all.keys()].map((follower) => new Promise<void>((done) => follower.end(done)))),
      setTimeout(FAREWELL_LIMIT_MS, undefined, { ref: false }),
    ]);
  }

  /** The cells first: a page that hears of the end listens no longer. One that does not read would fill this process's memory. */
  #tell(follower: ServerResponse): void {
    if (follower.writableNeedDrain) return;
    const cells = this.#status.cells();
    if (this.#all.get(follower) !== cells) follower.write(`event: cells\ndata: ${JSON.stringify(cells)}\n\n`);
    this.#all.set(follower, cells);
    follower.write(`data: ${JSON.stringify(this.#status.now())}\n\n`);
  }
}
