/** The server half of a framework. `servers/<name>/server.ts` exports one as `server`. */

export interface FrameworkServer {
  /**
   * Resolves once it accepts connections. Port 0 means: any free one. Where there is a token, only addresses that begin
   * with it are let in (`ws://host:port/<token>/…`); `listen` sees to that.
   */
  start(options: { host: string; port: number; token?: string }): Promise<RunningServer>;
}

export interface RunningServer {
  port: number;
  /** Closes every connection and stops listening. */
  stop(): Promise<void>;
}
