// An edit that all have seen is not stored, though nothing failed. Needs a Redis at port 6379.
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '@hocuspocus/extension-database';
import { Redis } from '@hocuspocus/extension-redis';
import { HocuspocusProvider } from '@hocuspocus/provider';
import { Server } from '@hocuspocus/server';
import * as Y from 'yjs';

let row = null;
const store = async ({ state }) => {
  await sleep(900);
  row = state;
};
const fetch = async () => row;
const { REDIS_PORT: port = 6379, REDIS_PASSWORD: password } = process.env;
const redis = { port: Number(port), options: { password } };
const [ada, ben] = [8101, 8102].map((port) => {
  new Server({ port, quiet: true, extensions: [new Redis(redis), new Database({ fetch, store })] }).listen();
  return new HocuspocusProvider({ url: `ws://127.0.0.1:${port}`, name: 'document' });
});
await sleep(2000);
ben.document.getText().insert(0, 'ben');
await sleep(2200); // Ben's server has written for 200 ms.
ada.document.getText().insert(0, 'ada and ');
await sleep(400);
const seen = { ben: `${ben.document.getText()}`, adaHasUnsynced: ada.hasUnsyncedChanges };
ada.destroy();
await sleep(3000);
ben.destroy();
await sleep(5000);
const stored = new Y.Doc();
Y.applyUpdate(stored, row);
console.log(JSON.stringify({ ...seen, stored: `${stored.getText()}` }));
process.exit();
