/** Yjs with y-quill as it comes: the same server. */
export { server } from '../yjs/server.ts';
