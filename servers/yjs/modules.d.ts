/** The types of y-leveldb 0.1 are where no resolution finds them. */
declare module 'y-leveldb' {
  import type { Doc } from 'yjs';

  export class LeveldbPersistence {
    constructor(folder: string);
    getYDoc(name: string): Promise<Doc>;
    storeUpdate(name: string, update: Uint8Array): Promise<number>;
    destroy(): Promise<void>;
  }
}
