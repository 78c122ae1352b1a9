/** For tests: a registry of npm on this machine, and the variables that lead npm to it and nowhere else. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Published {
  name: string;
  version: string;
  /** Beside its package.json, by path. */
  files: Record<string, string>;
  /** More of its package.json. */
  manifest?: Record<string, unknown>;
}

export interface LocalRegistry {
  /** With a cache of its own, and the directory that this project keeps installed packages in. */
  environment: Record<string, string>;
  /** How often a tarball was fetched. */
  fetches(): number;
  close(): Promise<void>;
}

export async function startRegistry(published: readonly Published[]): Promise<LocalRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const tarballs = new Map<string, Buffer>();
  for (const each of published) tarballs.set(`/${each.name}/-/${each.version}.tgz`, await pack(folder, each));
  let fetches = 0;
  const server = createServer(({ url = '', headers }, response) => {
    const path = decodeURIComponent(url);
    const tarball = tarballs.get(path);
    if (tarball !== undefined) {
      fetches++;
      return response.end(tarball);
    }
    const versions = published.filter(({ name }) => path === `/${name}`);
    if (versions.length === 0) return response.writeHead(404).end('{}');
    const document = {
      name: path.slice(1),
      'dist-tags': { latest: versions.at(-1)!.version },
      versions: Object.fromEntries(
        versions.map(({ name, version, manifest }) => {
          const file = `/${name}/-/${version}.tgz`;
          const integrity = `sha512-${createHash('sha512').update(tarballs.get(file)!).digest('base64')}`;
          const dist = { tarball: `http://${headers.host}${file}`, integrity };
          return [version, { ...manifest, name, version, dist }];
        }),
      ),
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: {
      npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      npm_config_cache: join(folder, 'npm'),
      SCRIPTORIUM_CACHE: join(folder, 'cache'),
    },
    fetches: () => fetches,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes packages where an importer finds them, without npm. */
export async function putPackages(nodeModules: string, packages: readonly Published[]): Promise<void> {
  for (const each of packages) await put(join(nodeModules, each.name), each);
}

async function pack(folder: string, published: Published): Promise<Buffer> {
  const place = join(folder, 'sources', published.name, published.version);
  await put(join(place, 'package'), published);
  return execFileSync('tar', ['-czf', '-', '-C', place, 'package']);
}

async function put(folder: string, { name, version, files, manifest }: Published): Promise<void> {
  const all = { ...files, 'package.json': JSON.stringify({ ...manifest, name, version }) };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
