/** The server half of a framework. `servers/<name>/server.ts` exports one as `server`, made by `frameworkServer`. */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { KeptStore, StoreProgramName } from '../editors/base/stores.ts';

/** In the environment of a server's process in a trial, and of all that it starts: whatever has its value is counted as the server's. */
export const SERVER_MARK_VARIABLE = 'SCRIPTORIUM_SERVER_MARK';

/** Where a server finds its store: a folder of its own, empty at first, or the address of a database of its own. */
export type StorePlace =
  | { name: Exclude<KeptStore, StoreProgramName>; folder: string }
  | { name: StoreProgramName; url: string }
  | StandIn;

/**
 * In a simulated world: a store in memory that outlives the process of its server, at the place of one that `about` says worlds
 * may have (`inWorlds`).
 */
export interface StandIn {
  name: 'stand-in';
  /**
   * Does that with what it holds, once it has got there; resolves with the answer, once that is back. A process that is killed does
   * nothing more there.
   */
  ask<Answer>(act: (held: Map<string, unknown>) => Answer | Promise<Answer>): Promise<Answer>;
}

/** Servers that share each document. */
export interface Together {
  /** This server's number, from 0; and how many there are. */
  index: number;
  count: number;
  /**
   * The address of a Redis through which they may tell each other of changes. In a trial absent unless `about` says `needsRedis`;
   * in a simulated world always there.
   */
  redis?: string;
  /** The addresses of the servers before this one, which listen already, tokens included. */
  peers: readonly string[];
}

/** The store behind a server in a trial, and the other servers of the same documents. */
export interface Backing {
  /** Absent: documents are kept in memory. The folder or database may hold those of an earlier process. */
  store?: StorePlace;
  /** Each write to the store waits so long first, as for a slow disk. */
  writeDelayMs: number;
  /** Absent: it is alone. */
  together?: Together;
}

export const ALONE_IN_MEMORY: Backing = { writeDelayMs: 0 };

export interface FrameworkServer {
  /** Serves every connection that comes, see `Serve`; absent if the server is a program of its own. */
  serve?: Serve;
  /**
   * Resolves once it accepts connections. Port 0 means: any free one. If there is a token, only addresses that begin
   * with it are let in (`ws://host:port/<token>/…`); `listen` sees to that.
   */
  start(options: { host: string; port: number; token?: string; backing?: Backing }): Promise<RunningServer>;
}

/**
 * A server's handler of connections, either from a port or from users in this process.
 *
 * @param backing of the stores and ways that its `about` declares, what this trial has; absent: `ALONE_IN_MEMORY`
 * @returns the end of all else, to be called once the connections are closed; null: nothing else runs
 */
export type Serve = (connections: Connections, backing?: Backing) => (() => Promise<void> | void) | null;

/** The part of `ws`' server that frameworks use. */
export interface Connections {
  on(event: 'connection', handler: (socket: WebSocket, request: IncomingMessage) => void): unknown;
}

export interface RunningServer {
  port: number;
  /** Closes every connection and stops listening. */
  stop(): Promise<void>;
  /** The server's program, if it is one of its own: the program's costs count, and this process only stands before it. */
  child?: ServerChild;
}

export interface ServerChild {
  /** Its process; those that it starts are its descendants. */
  pid: number;
  /** Resolves if the program ends although nobody stopped it, with the way it ended: a sentence's end after its name. */
  failed: Promise<string>;
}
