/** Ports to listen on. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * @param address absent: any free port of the loopback interface; port 0: any free one
 * @returns the port
 * @throws the system's error if it cannot listen there
 */
export async function listenOn(server: Server, address = { host: LOOPBACK, port: 0 }): Promise<number> {
  server.listen(address.port, address.host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A port that was free a moment ago: few programs can be given a socket, but each can be told a number. */
export async function freePort(host = LOOPBACK): Promise<number> {
  const probe = createServer();
  const port = await listenOn(probe, { host, port: 0 });
  probe.close();
  await once(probe, 'close');
  return port;
}
