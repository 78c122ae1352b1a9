/** node-postgres 8 comes without types. */
declare module 'pg' {
  import type { EventEmitter } from 'node:events';

  export class Pool extends EventEmitter {
    constructor(options: { connectionString: string });
    query<Row>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>;
    end(): Promise<void>;
  }
}
