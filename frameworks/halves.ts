/** Loads the two halves of a framework. */
import { pathToFileURL } from 'node:url';
import type { FrameworkClient } from '../editors/base/framework.ts';
import { messageOf } from '../results/user-error.ts';
import type { FrameworkServer } from '../servers/server.ts';
import type { Framework } from './framework.ts';
import { hookPublicModules } from './public-modules.ts';

/** The data for loading a framework's modules: plain, so that another thread can have it. */
export type Loadable = Pick<Framework, 'name' | 'kind' | 'client' | 'server'>;

/** @throws Error naming the framework, if its client cannot be loaded */
export async function loadClient(framework: Loadable): Promise<FrameworkClient> {
  return (await loadHalf<{ client: FrameworkClient }>(framework, 'client')).client;
}

/** @throws Error naming the framework, if its server cannot be loaded */
export async function loadServer(framework: Loadable): Promise<FrameworkServer> {
  return (await loadHalf<{ server: FrameworkServer }>(framework, 'server')).server;
}

/** @throws Error naming framework and module, such as when a package is missing */
export async function loadHalf<Module>(framework: Loadable, half: 'client' | 'server'): Promise<Module> {
  const { name, kind, [half]: path } = framework;
  if (kind === 'outside') hookPublicModules();
  try {
    return (await import(pathToFileURL(path).href)) as Module;
  } catch (cause) {
    throw new Error(`the ${half} of ${name} (${path}) cannot be loaded: ${messageOf(cause)}`, { cause });
  }
}
