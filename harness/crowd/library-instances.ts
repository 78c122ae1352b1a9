/**
 * Several instances of a framework's library in one process, each with a WebAssembly memory of its own, which holds 4 GiB at most.
 * Modules of the project, such as the editor, are there once.
 */
import { createRequire, type ResolveHookSync, registerHooks } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FrameworkClient } from '../../editors/base/framework.ts';
import { type Framework, loadClient } from '../../frameworks/framework.ts';

/** In a module's address, the instance that it belongs to; the first has none. */
const PARAMETER = 'instance';
const { cache } = createRequire(import.meta.url);

/** @returns the framework's client, once for each instance; they load their library when somebody joins */
export async function loadInstances(framework: Framework, count: number): Promise<FrameworkClient[]> {
  const clients = [await loadClient(framework)];
  if (count > 1) registerHooks({ resolve: passOn(framework) });
  for (let instance = 2; instance <= count; instance++) {
    const module: { client: FrameworkClient } = await import(
      `${pathToFileURL(framework.client)}?${PARAMETER}=${instance}`
    );
    clients.push(module.client);
  }
  return clients;
}

/** A module of an instance imports those of the same instance, if they are the framework's own or its library's. */
function passOn({ client, about }: Framework): ResolveHookSync {
  const packages = [about.package, ...(about.besides ?? [])].map((name) => `${sep}node_modules${sep}${name}${sep}`);
  return (specifier, context, next) => {
    const found = next(specifier, context);
    const [, query] = (context.parentURL ?? '').split('?');
    if (!query?.startsWith(PARAMETER) || !found.url.startsWith('file:')) return found;
    const path = fileURLToPath(found.url);
    if (!path.startsWith(dirname(client) + sep) && !packages.some((part) => path.includes(part))) return found;
    // A CommonJS module is kept by its path alone; whoever has it keeps it.
    delete cache[path];
    return { ...found, url: `${found.url}?${query}` };
  };
}
