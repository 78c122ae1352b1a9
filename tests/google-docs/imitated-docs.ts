/** A site for tests that imitates Google's: documents, and the pages that a link may lead to instead. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { type WebSocket, WebSocketServer } from 'ws';
import { buildPage, scriptOf } from '../../frameworks/page-build.ts';
import { listenOn } from '../../infra/network/listen-on.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';

/** The script that users of gdocs get with the page. */
const DOCS_SCRIPT = scriptOf('gdocs');

export interface ImitatedDocs {
  /** The link of a document; it is made, empty, when someone opens it. Some names stand for other pages, see `PAGES`. */
  link(name: string): string;
  isLink(text: string): boolean;
  /** Address of the script that drivers put into the page. */
  pageUrl: string;
  close(): Promise<void>;
}

/** Pages that links of these names lead to. */
const PAGES = {
  private: (response: ServerResponse) => response.writeHead(302, { Location: '/ServiceLogin?continue=doc' }).end(),
  moved: (response: ServerResponse) => response.writeHead(302, { Location: '/document/d/another/edit' }).end(),
  deleted: (response: ServerResponse) => send(response, '<p>Sorry, the file you have requested does not exist.</p>'),
  viewed: (response: ServerResponse) => send(response, documentPage('view-mode')),
  unmarked: (response: ServerResponse) => send(response, documentPage(null)),
};

export async function imitateDocs(): Promise<ImitatedDocs> {
  const [script, docsScript] = await Promise.all([
    bundleImitation(),
    buildPage().then((folder) => readFile(join(folder, DOCS_SCRIPT), 'utf8')),
  ]);
  const logs = new Map<string, string[]>();
  const rooms = new Map<string, Set<WebSocket>>();
  const http = createServer((request, response) => {
    const path = request.url ?? '/';
    const name = /^\/document\/d\/([\w-]+)\//.exec(path)?.[1] ?? '';
    if (path === '/imitation.js') response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    else if (path === `/page/${DOCS_SCRIPT}`) response.end(docsScript);
    else if (Object.hasOwn(PAGES, name)) PAGES[name as keyof typeof PAGES](response);
    else send(response, name === '' ? '<p>Sign in</p>' : documentPage('edit-mode'));
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket, { url = '' }) => {
    const log = logs.get(url) ?? [];
    const room = rooms.get(url) ?? new Set();
    logs.set(url, log);
    rooms.set(url, room.add(socket));
    for (const message of log) socket.send(message);
    socket.on('message', (data) => {
      log.push(String(data));
      for (const member of room) member.send(String(data));
    });
    socket.on('close', () => room.delete(socket));
  });
  const origin = `http://127.0.0.1:${await listenOn(http)}`;
  return {
    link: (name) => `${origin}/document/d/${name}/edit`,
    isLink: (text) => text.startsWith(`${origin}/document/d/`),
    pageUrl: `${origin}/page/`,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function send(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html>${page}`);
}

/** @param mode the class of the mode button; null: there is none */
function documentPage(mode: string | null): string {
  return `
    ${mode === null ? '' : `<div id="docs-toolbar-mode-switcher" class="${mode}">Mode</div>`}
    <div class="kix-appview-editor" style="height: 400px; overflow: auto; background: silver">
      <div class="kix-rotatingtilemanager-content"></div>
    </div>
    <iframe class="docs-texteventtarget-iframe" style="width: 1px; height: 1px; border: 0"></iframe>
    <script type="module" src="/imitation.js"></script>`;
}

async function bundleImitation(): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: 'error',
    root: join(PROJECT_ROOT, 'tests/google-docs/imitation'),
    build: { write: false, minify: false, target: 'esnext', lib: { entry: 'page.ts', formats: ['es'] } },
  })) as Rolldown.RolldownOutput[];
  const outputs = [result].flat(2).flatMap(({ output }) => output);
  return outputs.find((output) => output.type === 'chunk')!.code;
}
