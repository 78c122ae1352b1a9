/** The server half of a framework. `servers/<name>/server.ts` exports one as `server`, made by `frameworkServer`. */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';

/** In the environment of a server's process in a trial, and of all that it starts: whatever has its value is counted as the server's. */
export const SERVER_MARK_VARIABLE = 'SCRIPTORIUM_SERVER_MARK';

export interface FrameworkServer {
  /** Serves every connection that comes, see `Serve`; absent if the server is a program of its own. */
  serve?: Serve;
  /**
   * Resolves once it accepts connections. Port 0 means: any free one. If there is a token, only addresses that begin
   * with it are let in (`ws://host:port/<token>/…`); `listen` sees to that.
   */
  start(options: { host: string; port: number; token?: string }): Promise<RunningServer>;
}

/**
 * A server's handler of connections, either from a port or from users in this process.
 *
 * @returns the end of all else, to be called once the connections are closed; null: nothing else runs
 */
export type Serve = (connections: Connections) => (() => Promise<void> | void) | null;

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

/**
 * A framework's server, found by its folder's name.
 *
 * @throws Error naming the framework if its server cannot be loaded, such as a missing package
 */
export async function loadServer(framework: string): Promise<FrameworkServer> {
  try {
    const module: { server: FrameworkServer } = await import(`./${framework}/server.ts`);
    return module.server;
  } catch (error) {
    throw new Error(`the server of ${framework} (servers/${framework}/server.ts) cannot be loaded: ${error}`, {
      cause: error,
    });
  }
}
