/** Fluid's server for development, in memory, on the trial's address alone, behind its token. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../infra/process/made-once.ts';
import type { FrameworkServer } from '../kit.ts';
import { listen } from '../listen.ts';
import { createTinylicious, type Tinylicious } from './tinylicious.ts';

export const server: FrameworkServer = {
  serve() {
    throw new Error('fluid is served over HTTP as well, which no simulation of a crowd has');
  },
  async start({ host, port, token }) {
    let tinylicious: Tinylicious | null = null;
    const names = new Map<string, string>();
    const http = createServer((request, response) => {
      if (!tellNumber(names, request, response)) tinylicious?.http.emit('request', request, response);
    });
    http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      tinylicious?.http.emit('upgrade', request, socket, head);
    });
    const running = await listen({ http, sockets: new WebSocketServer({ noServer: true }), host, port, token });
    if (token !== undefined) {
      // The gate knows the token at the beginning of an address. Fluid has it where the tenant stands.
      for (const event of ['request', 'upgrade']) {
        http.prependListener(event, (request: IncomingMessage) => {
          request.url = `/${tenantOf(request.url ?? '')}${request.url}`;
        });
      }
    }
    const folder = await makeTemporaryFolder('server');
    const stop = async () => {
      await tinylicious?.close();
      await running.stop();
      await removeTemporaryFolder(folder);
    };
    try {
      tinylicious = await createTinylicious({ port: running.port, folder });
    } catch (error) {
      await stop();
      throw error;
    }
    return { port: running.port, stop };
  },
};

/** In a path it is the second part, as in `/documents/<tenant>`; socket.io has it among its parameters. */
function tenantOf(url: string): string {
  const parsed = URL.parse(url, 'http://fluid');
  // The gate refuses it; anybody may send one.
  if (parsed === null) return '';
  const { pathname, searchParams } = parsed;
  return searchParams.get('tenantId') ?? pathname.split('/')[2] ?? '';
}

/** Answers `/names/<tenant>/<name>?<number>`: with the first number that was offered for a document. */
function tellNumber(names: Map<string, string>, request: IncomingMessage, response: ServerResponse): boolean {
  const parsed = URL.parse(request.url ?? '/', 'http://fluid');
  if (parsed === null || !parsed.pathname.startsWith('/names/')) return false;
  const { pathname, search } = parsed;
  const offered = search.slice(1);
  if (offered !== '' && !names.has(pathname)) names.set(pathname, offered);
  response.writeHead(200, { 'access-control-allow-origin': '*' }).end(names.get(pathname) ?? '');
  return true;
}
