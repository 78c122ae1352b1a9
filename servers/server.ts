/** The server half of a framework. `servers/<name>/server.ts` exports one as `server`. */

export interface FrameworkServer {
  /** Resolves once it accepts connections. Port 0 means: any free one. */
  start(options: { host: string; port: number }): Promise<RunningServer>;
}

export interface RunningServer {
  port: number;
  /** Closes every connection and stops listening. */
  stop(): Promise<void>;
}
