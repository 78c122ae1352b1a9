/** A module of sharedb 7.0 that comes without types. */
declare module 'sharedb/lib/snapshot.js' {
  export default class Snapshot {
    constructor(id: string, v: number, type: string | null, data: unknown, m: unknown);
  }
}
/** `@teamwork/websocket-json-stream` 2.0 comes without types. */
declare module '@teamwork/websocket-json-stream' {
  import type { Duplex } from 'node:stream';
  import type { WebSocket } from 'ws';

  const WebSocketJSONStream: new (socket: WebSocket) => Duplex;
  export default WebSocketJSONStream;
}
