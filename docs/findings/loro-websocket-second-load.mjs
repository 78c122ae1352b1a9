// Two users open a stored document at once, and the first types before the second load is done.
import { setTimeout as sleep } from 'node:timers/promises';
import { LoroAdaptor } from 'loro-adaptors/loro';
import { LoroDoc } from 'loro-crdt';
import { LoroWebsocketClient } from 'loro-websocket';
import { SimpleServer } from 'loro-websocket/server';

const url = 'ws://127.0.0.1:8301';
const textOf = (doc) => doc.getText('text').toString();
const stored = new LoroDoc();
stored.getText('text').insert(0, 'stored');
let row = stored.export({ mode: 'snapshot' });
const delaysMs = [200, 600];
const server = new SimpleServer({
  port: 8301,
  saveInterval: 500,
  async onLoadDocument() {
    const found = row;
    await sleep(delaysMs.shift() ?? 0);
    return found;
  },
  async onSaveDocument(_room, _type, state) {
    row = state;
  },
});
await server.start();

async function join() {
  const client = new LoroWebsocketClient({ url });
  await client.waitConnected();
  const adaptor = new LoroAdaptor();
  await client.join({ roomId: 'document', crdtAdaptor: adaptor });
  return adaptor.getDoc();
}

const joiningAda = join();
await sleep(50);
const joiningBen = join();
const ada = await joiningAda;
await sleep(100);
ada.getText('text').insert(0, 'ada and ');
ada.commit();
const ben = await joiningBen;
await sleep(2000);
const eve = await join();
await sleep(500);
const kept = LoroDoc.fromSnapshot(row);
console.log(JSON.stringify({ ada: textOf(ada), ben: textOf(ben), eve: textOf(eve), stored: textOf(kept) }));
process.exit();
