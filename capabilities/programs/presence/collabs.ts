import { CPresence, CRuntime } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { type Presence, showsPresence } from './presence.ts';

export const program: Program = () =>
  showsPresence(() => {
    const [adaSide, benSide] = [create(), create()];
    adaSide.runtime.on('Send', ({ message }) => benSide.runtime.receive(message));
    benSide.runtime.on('Send', ({ message }) => adaSide.runtime.receive(message));
    const [ada, ben] = [adaSide.presence, benSide.presence];
    benSide.runtime.transact(() => {
      ben.setOurs({ name: 'Ben', cursor: 0 });
      ben.connect();
    });
    return {
      ada: {
        show: (presence) =>
          adaSide.runtime.transact(() => {
            ada.setOurs({ ...presence });
            ada.connect();
          }),
        leave: () => adaSide.runtime.transact(() => ada.disconnect()),
      },
      seenByBen: () => [...ben.values()].filter(({ name }) => name !== 'Ben'),
      saved: () => adaSide.runtime.save(),
      close() {
        ada.disconnect();
        ben.disconnect();
      },
    };
  });

function create() {
  const runtime = new CRuntime();
  const presence = runtime.registerCollab(
    'presence',
    (init) => new CPresence<Presence & Record<string, unknown>>(init),
  );
  return { runtime, presence };
}
