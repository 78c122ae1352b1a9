/** Loads the two halves of a framework by its name, wherever they and their packages are. */
import type { FrameworkClient } from '../editors/base/framework.ts';
import { messageOf } from '../results/user-error.ts';
import type { FrameworkServer } from '../servers/server.ts';
import { findFramework } from './discover.ts';
import type { FrameworkInfo } from './framework-info.ts';
import { addressOf, hookModules } from './module-hooks.ts';

/** @throws UserError where there is no such framework, Error naming it where its client cannot be loaded */
export async function loadClient(name: string): Promise<FrameworkClient> {
  const { client } = await loadHalf<{ client: FrameworkClient }>(await findFramework(name), 'client');
  return client;
}

/** @throws UserError where there is no such framework, Error naming it where its server cannot be loaded */
export async function loadServer(name: string): Promise<FrameworkServer> {
  const { server } = await loadHalf<{ server: FrameworkServer }>(await findFramework(name), 'server');
  return server;
}

/** @throws Error naming framework and module, such as where a package is missing */
export async function loadHalf<Module>(framework: FrameworkInfo, half: 'client' | 'server'): Promise<Module> {
  const { name, kind, halves } = framework;
  if (kind === 'outside' || halves.packages !== null) hookModules();
  try {
    return (await import(addressOf(halves[half], halves.packages))) as Module;
  } catch (cause) {
    throw new Error(`the ${half} of ${name} (${halves[half]}) cannot be loaded: ${messageOf(cause)}`, { cause });
  }
}
