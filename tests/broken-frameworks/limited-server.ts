/** A server of yjs-relay's whose saved states lack an update for each newcomer, once they are long. */
import { compactLog } from '../../editors/yjs-relay/document.ts';
import { createRelay } from '../../servers/relay.ts';

const MOST_BYTES = 30_000;

export const server = createRelay({
  compact: (saved, log) => compactLog(saved, (saved?.length ?? 0) > MOST_BYTES ? log.slice(1) : log),
});
