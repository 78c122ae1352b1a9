/**
 * The page's way to Chrome where the coordinator is on another machine: a plain TCP pipe on this one's loopback interface.
 * Browsers give their fine clock and their digests to pages of this machine and of https only, and let pages from
 * elsewhere not connect to this machine, where the delay line stands. So every user's page comes from 127.0.0.1.
 */
import { createConnection, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const LOOPBACK = /^(127\.|localhost$|\[::1\]$)/;

export interface PageProxy {
  /** The address at which this machine's Chrome opens the page. */
  through(pageUrl: string): string;
}

/** @param controlUrl the coordinator's control address: page and control connection have one port */
export async function openPageProxy(controlUrl: string): Promise<PageProxy> {
  const { hostname, port } = new URL(controlUrl);
  if (LOOPBACK.test(hostname)) return { through: (pageUrl) => pageUrl };
  const server = createServer((near) => {
    const far = createConnection({ host: hostname, port: Number(port) });
    // A connection that breaks is for the browser to report, or to open again.
    pipeline(near, far, near, () => {});
  });
  // It lives as long as the process does, and holds it for nothing.
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port: proxyPort } = server.address() as { port: number };
  return {
    through(pageUrl) {
      const url = new URL(pageUrl);
      return `http://127.0.0.1:${proxyPort}${url.pathname}`;
    },
  };
}
