// The way to the server stands still while a client connects: how many connections does the client hold afterwards?
import { once } from 'node:events';
import net from 'node:net';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketClientAdapter, WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import { WebSocketServer } from 'ws';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const RETRY_MS = 1000; // The default is 5 s.
const KEEP_ALIVE_MS = 500; // The default is 5 s.
const sockets = new WebSocketServer({ port: 0 });
const server = new Repo({ network: [new WebSocketServerAdapter(sockets, KEEP_ALIVE_MS)] });
await once(sockets, 'listening');
const moves = pause(2.5 * RETRY_MS); // Till then nothing of the client gets to the server.
const way = net.createServer((near) => {
  const far = net.connect(sockets.address().port);
  far.pipe(near);
  moves.then(() => near.pipe(far));
});
await once(way.listen(0), 'listening');
const client = new Repo({ network: [new WebSocketClientAdapter(`ws://localhost:${way.address().port}`, RETRY_MS)] });
await once(client.networkSubsystem, 'peer');
await pause(6 * KEEP_ALIVE_MS); // The server asks all of them whether they are alive.
console.log(JSON.stringify({ connections: sockets.clients.size, peers: server.peers.length }));
process.exit();
