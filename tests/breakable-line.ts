/** For tests: a TCP line to a server that can be cut, and mended. */
import { connect, createServer, type Socket } from 'node:net';
import { listenOn } from '../infra/network/listen-on.ts';

export interface BreakableLine {
  /** Port for clients to connect to, instead of the server's. */
  port: number;
  /** Breaks every connection; new ones are refused until `mend`. */
  cut(): void;
  /** The server's answers wait until the function that this returns is called. */
  holdAnswers(): () => void;
  mend(): void;
  stop(): Promise<void>;
}

export async function createBreakableLine(options: { host: string; port: number }): Promise<BreakableLine> {
  const ends = new Set<Socket>();
  const answering = new Map<Socket, Socket>();
  let whole = true;
  const line = createServer((near) => {
    const far = connect(options);
    for (const end of [near, far]) {
      ends.add(end);
      // Each end that closes takes the other with it, whatever the reason.
      end.on('error', () => end.destroy());
      end.on('close', () => {
        ends.delete(end);
        answering.delete(far);
        near.destroy();
        far.destroy();
      });
    }
    answering.set(far, near);
    if (!whole) near.destroy();
    near.pipe(far);
    far.pipe(near);
  });
  const port = await listenOn(line, { host: options.host, port: 0 });
  const cut = () => {
    whole = false;
    for (const end of ends) end.resetAndDestroy();
  };
  return {
    port,
    cut,
    holdAnswers() {
      const held = [...answering];
      for (const [far, near] of held) far.unpipe(near);
      return () => {
        for (const [far, near] of held) far.pipe(near);
      };
    },
    mend() {
      whole = true;
    },
    stop() {
      cut();
      return new Promise((resolve) => line.close(() => resolve()));
    },
  };
}
