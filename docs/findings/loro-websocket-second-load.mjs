// Two users open a stored document at once, and the first types before the second load is done.
import { setTimeout as sleep } from 'node:timers/promises';
import { LoroAdaptor } from 'loro-adaptors/loro';
import { LoroDoc } from 'loro-crdt';
import { LoroWebsocketClient } from 'loro-websocket';
import { SimpleServer } from 'loro-websocket/server';

const textOf = (doc) => doc.getText('text').toString();
const before = new LoroDoc();
before.getText('text').insert(0, 'stored');
const rows = [before.export({ mode: 'snapshot' })];
const delaysMs = [600, 1800];
const onLoadDocument = () => sleep(delaysMs.shift() ?? 0, rows.at(-1));
const onSaveDocument = async (_room, _type, state) => void rows.push(state);
await new SimpleServer({ port: 8301, saveInterval: 1500, onLoadDocument, onSaveDocument }).start();
async function join() {
  const client = new LoroWebsocketClient({ url: 'ws://127.0.0.1:8301' });
  await client.waitConnected();
  const adaptor = new LoroAdaptor();
  await client.join({ roomId: 'document', crdtAdaptor: adaptor });
  return adaptor.getDoc();
}
const joiningAda = join();
const joiningBen = sleep(50).then(join);
const ada = await joiningAda;
ada.getText('text').insert(0, 'ada and ');
ada.commit();
const ben = await joiningBen;
await sleep(2000);
const eve = await join();
await sleep(500);
console.log(JSON.stringify({ ada: textOf(ada), ben: textOf(ben), eve: textOf(eve) }));
process.exit();
