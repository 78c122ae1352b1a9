/** The protocols of collaboration servers that are known here, and who speaks them. */
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import { automergeRepo } from './protocols/automerge-repo.ts';
import { hocuspocus } from './protocols/hocuspocus.ts';
import { loro } from './protocols/loro.ts';
import { NOTHING, type Protocol, type Reading } from './protocols/protocol.ts';
import { sharedb } from './protocols/sharedb.ts';
import { yWebsocket } from './protocols/y-websocket.ts';

/** Source: engine.io's protocol. */
const engineIo: Protocol = {
  name: 'engine.io',
  title: 'Socket.IO (Etherpad and Fluid speak it)',
  isSilent: true,
  ask: () => [],
  read: (frame) => (typeof frame === 'string' && /^0\{"sid"/.test(frame) ? NOTHING : null),
};

/** In the order in which a server is asked: those first that say so by themselves. */
export const PROTOCOLS: readonly Protocol[] = [yWebsocket, engineIo, hocuspocus, sharedb, automergeRepo, loro];

/** How a framework's clients read; null: it is not known. */
export function readingOf({ attaches }: Pick<FrameworkAbout, 'attaches'>): Reading | null {
  return PROTOCOLS.find(({ name }) => name === attaches?.protocol)?.reading ?? null;
}
