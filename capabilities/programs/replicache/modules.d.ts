/** The part of Replicache that is used here, as Replicache is only installed on demand. */

declare module 'replicache' {
  export type Json = null | string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

  export interface WriteTransaction {
    get(key: string): Promise<Json | undefined>;
    set(key: string, value: Json): Promise<void>;
    del(key: string): Promise<boolean>;
  }
  export interface ReadTransaction {
    get(key: string): Promise<Json | undefined>;
    scan(): { entries(): { toArray(): Promise<[string, Json][]> } };
  }
  // biome-ignore lint/suspicious/noExplicitAny: each mutator says what it is told.
  export type Mutators = Record<string, (tx: WriteTransaction, told: any) => Promise<void>>;

  /** A client's store. */
  export interface StoreProvider {
    create(name: string): Store;
    drop(name: string): Promise<void>;
  }
  export interface Store {
    read(): Promise<StoreRead>;
    write(): Promise<StoreWrite>;
    close(): Promise<void>;
    closed: boolean;
  }
  export interface StoreRead {
    has(key: string): Promise<boolean>;
    get(key: string): Promise<Json | undefined>;
    release(): void;
    closed: boolean;
  }
  export interface StoreWrite extends StoreRead {
    put(key: string, value: Json): Promise<void>;
    del(key: string): Promise<void>;
    commit(): Promise<void>;
  }

  export class Replicache<Own extends Mutators> {
    constructor(options: {
      name: string;
      mutators: Own;
      kvStore: 'mem' | StoreProvider;
      pushURL: string;
      pullURL: string;
      pushDelay: number;
      pullInterval: null;
      logLevel: 'error';
    });
    readonly mutate: { readonly [Name in keyof Own]: (told: Parameters<Own[Name]>[1]) => Promise<void> };
    query<Result>(body: (tx: ReadTransaction) => Promise<Result>): Promise<Result>;
    /** True if the last request to the server succeeded. */
    readonly online: boolean;
    push(options: { now: true }): Promise<void>;
    pull(options: { now: true }): Promise<void>;
    close(): Promise<void>;
  }
}

declare module '@rocicorp/undo' {
  export class UndoManager {
    add(functions: { execute(): Promise<void>; undo(): Promise<void> }): Promise<void>;
    undo(): Promise<void>;
    redo(): Promise<void>;
  }
}
