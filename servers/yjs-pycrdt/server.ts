/** Yjs' protocol spoken by pycrdt-websocket: Yrs, which is Yjs in Rust, within a server in Python. */
import { join } from 'node:path';
import { childServer } from '../child-server.ts';
import { pythonOf } from '../python-packages.ts';
import type { Backing } from '../server.ts';

export const server = childServer(({ socket, backing }) => ({
  // Isolated: nothing of this machine's Python but what is in the environment.
  command: [pythonOf('yjs-pycrdt'), '-I', join(import.meta.dirname, 'server.py'), socket, ...storeWords(backing)],
}));

function storeWords({ store, writeDelayMs }: Backing): string[] {
  return store !== undefined && 'folder' in store ? [store.name, store.folder, String(writeDelayMs)] : [];
}
