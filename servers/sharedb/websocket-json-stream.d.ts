/** `@teamwork/websocket-json-stream` 2.0 comes without types. */
declare module '@teamwork/websocket-json-stream' {
  import type { Duplex } from 'node:stream';
  import type { WebSocket } from 'ws';

  const WebSocketJSONStream: new (socket: WebSocket) => Duplex;
  export default WebSocketJSONStream;
}
