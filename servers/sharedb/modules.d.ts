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
/** `sharedb-postgres` 5.0 comes without types. */
declare module 'sharedb-postgres' {
  import type { EventEmitter } from 'node:events';

  export interface Pool extends EventEmitter {
    connect(): Promise<PoolConnection>;
  }
  interface PoolConnection {
    query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
    /** @param isToBeClosed true: it is used no more */
    release(isToBeClosed?: boolean): void;
  }
  export default class PostgresDB {
    constructor(options: { connectionString: string });
    /** Of node-postgres. */
    readonly _pool: Pool;
    close(): Promise<void>;
  }
}
/** `sharedb-redis-pubsub` 5.1 comes without types. */
declare module 'sharedb-redis-pubsub' {
  import type { EventEmitter } from 'node:events';
  import type ShareDB from 'sharedb';

  /** Both clients are of node-redis. */
  type RedisPubSub = ShareDB.PubSub & EventEmitter & { client: EventEmitter; observer: EventEmitter };
  const RedisPubSub: new (options: { url: string }) => RedisPubSub;
  export default RedisPubSub;
}
