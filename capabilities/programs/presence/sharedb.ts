import type { LocalPresence } from 'sharedb/lib/sharedb';
import type { Program } from '../outcome.ts';
import { done, JSON_TYPE, serveDocument } from '../sharedb/server.ts';
import { type Presence, showsPresence } from './presence.ts';

export const program: Program = () =>
  showsPresence(async () => {
    const server = await serveDocument({ text: '' }, JSON_TYPE, {
      presence: true,
      // The default of ShareDB's next version.
      doNotForwardSendPresenceErrorsToClient: true,
    });
    const [adaSide, benSide] = [await server.join(), await server.join()];
    const channel = 'cursors';
    const ben = benSide.connection.getPresence(channel);
    await done((callback) => ben.subscribe(callback));
    const ada: LocalPresence<Presence> = adaSide.connection.getPresence(channel).create('ada');
    return {
      ada: { show: (presence) => ada.submit(presence), leave: () => ada.destroy() },
      seenByBen: () => Object.values(ben.remotePresences) as Presence[],
      saved: () => new TextEncoder().encode(JSON.stringify(adaSide.doc.toSnapshot())),
      close: () => server.close(),
    };
  });
