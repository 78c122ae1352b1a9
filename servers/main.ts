/** Starts one framework's server by hand: `node servers/main.ts yjs 1234 [host]`. A trial starts it through the harness. */
import type { FrameworkServer } from './server.ts';

const [framework, port = '0', host = '127.0.0.1'] = process.argv.slice(2);
if (framework === undefined || !/^\d+$/.test(port)) {
  console.error('usage: node servers/main.ts FRAMEWORK [PORT] [HOST], such as: node servers/main.ts yjs 1234');
  process.exitCode = 2;
} else {
  const { server }: { server: FrameworkServer } = await import(`./${framework}/server.ts`);
  const running = await server.start({ host, port: Number(port) });
  console.log(`${framework} listens on ws://${host}:${running.port}`);
  running.child?.failed.then((how) => {
    console.error(`its process ${how}`);
    process.exit(1);
  });
}
