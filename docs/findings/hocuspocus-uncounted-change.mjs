// After a break the provider says that nothing is unsynced, while an edit waits to be sent.
import { setTimeout as sleep } from 'node:timers/promises';
import { HocuspocusProvider } from '@hocuspocus/provider';
import { Server } from '@hocuspocus/server';

const server = new Server({ port: 8121, quiet: true });
await server.listen();
const provider = new HocuspocusProvider({ url: 'ws://127.0.0.1:8121', name: 'document', flushDelay: 300 });
const text = provider.document.getText();
const { documents } = server.hocuspocus;
while (!provider.isSynced || provider.hasUnsyncedChanges) await sleep(10);
for (const { webSocket } of documents.get('document').getConnections()) webSocket.close();
await sleep(50);
text.insert(0, 'offline');
let isBack = false;
provider.on('unsyncedChanges', ({ number }) => {
  if (number > 0 || isBack) return;
  isBack = true;
  text.insert(0, 'and ');
});
while (!isBack) await sleep(10);
await sleep(50);
const shown = { hasUnsynced: provider.hasUnsyncedChanges, server: `${documents.get('document').getText()}` };
console.log(JSON.stringify({ typed: `${text}`, ...shown }));
process.exit();
