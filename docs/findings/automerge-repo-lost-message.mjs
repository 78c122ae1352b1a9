// A message of the server is lost as a client's line breaks: does the client get it once it is back? [announce]
import { once } from 'node:events';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketClientAdapter, WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { WebSocketServer } from 'ws';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const sockets = new WebSocketServer({ port: 0 });
const sharePolicy = async () => process.argv[2] === 'announce';
const server = new Repo({ network: [new WebSocketServerAdapter(sockets)], sharePolicy });
await once(sockets, 'listening');
const newClient = () =>
  new Repo({ network: [new WebSocketClientAdapter(`ws://localhost:${sockets.address().port}`, 1000)] });
let line; // the newest connection, at the server
let sent = 0; // messages of the server
sockets.on('connection', (socket) => {
  line = Object.assign(socket, { isLossy: false, sendOn: socket.send });
  socket.send = (...message) => ++sent && !socket.isLossy && socket.sendOn(...message);
});
const ada = newClient().create({ text: 'before' });
while (!server.handles[ada.documentId]?.isReady()) await pause(100);
const second = newClient();
await once(second.networkSubsystem, 'peer');
const ben = await second.find(ada.url);
await pause(500);
const bens = Object.assign(line, { isLossy: true }); // The server's messages to ben get lost,
ada.change((document) => Object.assign(document, { text: 'after' }));
while (server.handles[ada.documentId].doc().text !== 'after') await pause(100);
await pause(300); // The server sends each 100 ms.
bens.terminate(); // Then his line breaks, and he comes back.
while (line === bens) await pause(100);
await pause(1000);
console.log(JSON.stringify({ ada: ada.doc().text, ben: ben.doc().text, messages: sent }));
process.exit();
