/** A framework's server in its own thread: timers that its library leaves behind end with the thread. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { RunningServer } from '../../servers/server.ts';
import { loadServer } from '../frameworks/halves.ts';

/** @throws Error naming the framework where its server cannot be loaded or started */
export async function startServerThread(framework: string): Promise<RunningServer> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { framework } });
  const [port] = (await once(thread, 'message')) as [number];
  // The property under way fails, because its clients lose their connections; only this says why.
  thread.on('error', (error) => console.error(`the server of ${framework} failed: ${error}`));
  return {
    port,
    async stop() {
      await thread.terminate();
    },
  };
}

if (!isMainThread && parentPort !== null) {
  const { framework } = workerData as { framework: string };
  const running = await (await loadServer(framework)).start({ host: '127.0.0.1', port: 0 });
  // As an error of the thread.
  running.child?.failed.then((how) => {
    throw new Error(`its process ${how}`);
  });
  parentPort.postMessage(running.port);
}
