/** Finds a framework's server by its folder's name. */
import type { FrameworkServer } from './server.ts';

/** @throws Error naming the framework if its server cannot be loaded, such as a missing package */
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
