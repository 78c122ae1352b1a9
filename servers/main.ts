/** Starts one framework's server by hand: `node servers/main.ts yjs 1234 [host]`. A trial starts it through the harness. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../results/user-error.ts';
import type { FrameworkServer } from './server.ts';

const MOST_PORT = 65_535;

const [framework = '', port = '0', host = '127.0.0.1'] = process.argv.slice(2);
const path = join(import.meta.dirname, framework, 'server.ts');
if (framework === '' || !existsSync(path) || !/^\d+$/.test(port) || Number(port) > MOST_PORT) {
  console.error('usage: node servers/main.ts FRAMEWORK [PORT] [HOST], such as: node servers/main.ts yjs 1234');
  process.exitCode = 2;
} else {
  await serve().catch((error) => {
    console.error(messageOf(error));
    process.exitCode = 2;
  });
}

async function serve(): Promise<void> {
  const { server }: { server: FrameworkServer } = await import(path);
  const running = await server.start({ host, port: Number(port) });
  console.log(`${framework} listens on ws://${host}:${running.port}`);
  running.child?.failed.then((how) => {
    console.error(`its process ${how}`);
    process.exit(1);
  });
}
