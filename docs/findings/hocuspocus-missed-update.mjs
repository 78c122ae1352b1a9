// An edit that a server missed while it could not reach Redis stays missing there. Needs a Redis at port 6379.
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from '@hocuspocus/extension-redis';
import { HocuspocusProvider } from '@hocuspocus/provider';
import { Server } from '@hocuspocus/server';

const { REDIS_PORT: port = 6379, REDIS_PASSWORD: password } = process.env;
const sockets = new Set();
let isCut = false;
// The way from Ben's server to Redis.
createServer((near) => {
  const far = connect(Number(port));
  if (isCut) far.destroy();
  near.pipe(far).pipe(near);
  for (const end of [near, far]) sockets.add(end.on('error', () => {}).on('close', () => near.destroy()));
}).listen(8113);
const [ada, ben] = [Number(port), 8113].map((port, index) => {
  const redis = new Redis({ port, options: { password } });
  new Server({ port: 8111 + index, quiet: true, extensions: [redis] }).listen();
  return new HocuspocusProvider({ url: `ws://127.0.0.1:${8111 + index}`, name: 'document' });
});
await sleep(2000);
isCut = true;
for (const socket of sockets) socket.destroy();
ada.document.getText().insert(0, 'ada');
await sleep(2000);
isCut = false;
await sleep(6000);
const seen = { ben: `${ben.document.getText()}`, adaHasUnsynced: ada.hasUnsyncedChanges };
ada.document.getText().insert(3, ' again');
await sleep(1000);
console.log(JSON.stringify({ ...seen, later: `${ben.document.getText()}` }));
process.exit();
