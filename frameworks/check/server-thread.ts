/** A framework's server in its own thread: timers that its library leaves behind end with the thread. */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { RunningServer } from '../../servers/server.ts';
import { type Loadable, loadServer } from '../framework.ts';

/** How long a server may take to stop in order. */
const STOP_LIMIT_MS = 3000;

/** @throws Error naming the framework if its server cannot be loaded or started */
export async function startServerThread({ name, kind, client, server }: Loadable): Promise<RunningServer> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { name, kind, client, server } });
  const port = await new Promise<number>((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
    // One that ends by itself throws nothing.
    thread.once('exit', (code) => {
      const advice = `look in ${server} for process.exit, or for something awaited that never comes`;
      reject(new Error(`the server of ${name} ended with code ${code} before it listened; ${advice}`));
    });
  });
  // The property under way fails, because its clients lose their connections; only this says why.
  thread.on('error', (error) => console.error(`the server of ${name} failed: ${error}`));
  return {
    port,
    async stop() {
      // In order, so that it removes what it wrote; a thread that has failed does not answer.
      thread.postMessage('stop');
      await Promise.race([once(thread, 'message'), setTimeout(STOP_LIMIT_MS, null, { ref: false })]).catch(() => {});
      await thread.terminate();
    },
  };
}

if (!isMainThread && parentPort !== null) {
  const running = await (await loadServer(workerData as Loadable)).start({ host: '127.0.0.1', port: 0 });
  // As an error of the thread.
  running.child?.failed.then((how) => {
    throw new Error(`its process ${how}`);
  });
  parentPort.once('message', async () => {
    await running.stop();
    parentPort!.postMessage('stopped');
  });
  parentPort.postMessage(running.port);
}
