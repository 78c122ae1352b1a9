/** Yjs' protocol spoken by pycrdt-websocket: Yrs, which is Yjs in Rust, within a server in Python. */
import { join } from 'node:path';
import { childServer } from '../child-server.ts';
import { pythonOf } from '../python-packages.ts';

export const server = childServer(({ socket }) => ({
  // Isolated: nothing of this machine's Python but what is in the environment.
  command: [pythonOf('yjs-pycrdt'), '-I', join(import.meta.dirname, 'server.py'), socket],
}));
