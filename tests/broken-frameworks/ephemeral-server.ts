/** A server of yjs-relay's that forgets a document as soon as nobody is connected to it. */
import { compactLog } from '../../editors/yjs-relay/document.ts';
import { createRelay } from '../../servers/relay.ts';

export const server = createRelay({ compact: compactLog, keptMs: 0 });
