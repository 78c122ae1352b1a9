/**
 * The project's public modules, as a framework from outside imports them. A link in its folder would do for Node and bundler
 * alike; but the folder may be read-only, an installed package, or measured by two checkouts of the project at once.
 */
import { type ResolveHookSync, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from '../infra/project.ts';
import { packageOf } from './imports.ts';

/** Their paths are relative to the project's folder. */
export const PUBLIC_MODULES: Readonly<Record<string, string>> = {
  'scriptorium/client': 'editors/base/kit.ts',
  'scriptorium/server': 'servers/kit.ts',
};

/** Public modules take and give deltas. */
const PACKAGES_OF_MODULES = ['quill-delta'];
/** One that `new-framework` just made is on Yjs. */
const PACKAGES_OF_NEW_ONES = ['yjs', 'y-protocols', 'lib0', '@y/websocket-server', 'y-leveldb'];
/** A framework from outside gets the project's if it brings none. */
export const SHARED_PACKAGES: readonly string[] = [...PACKAGES_OF_MODULES, ...PACKAGES_OF_NEW_ONES];

/** As y-websocket uses it, unless it is told not to. */
const TAB_CHANNEL = /\/lib0\/(dist\/|src\/)?broadcastchannel\.c?js$/;
const LONE_CHANNEL = pathToFileURL(join(PROJECT_ROOT, 'frameworks/lone-channel.ts')).href;

let isHooked = false;

/**
 * From now on this process finds them, and its users cannot tell one another anything past the server. Worker threads have hooks of
 * their own.
 */
export function hookPublicModules(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({ resolve });
}

const resolve: ResolveHookSync = (...request) => {
  const found = find(...request);
  return TAB_CHANNEL.test(found.url) ? { ...found, url: LONE_CHANNEL, format: null } : found;
};

const find: ResolveHookSync = (specifier, context, next) => {
  const path = PUBLIC_MODULES[specifier];
  if (path !== undefined) return next(pathToFileURL(join(PROJECT_ROOT, path)).href, context);
  try {
    return next(specifier, context);
  } catch (error) {
    if (!SHARED_PACKAGES.includes(packageOf(specifier))) throw error;
    return next(specifier, { ...context, parentURL: pathToFileURL(join(PROJECT_ROOT, 'package.json')).href });
  }
};
