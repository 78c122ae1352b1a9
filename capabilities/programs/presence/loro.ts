import { EphemeralStore, LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { type Presence, showsPresence } from './presence.ts';

export const program: Program = () =>
  showsPresence(() => {
    const doc = new LoroDoc();
    doc.getText('text').insert(0, 'text');
    const [ada, ben] = [new EphemeralStore(), new EphemeralStore()];
    ada.subscribeLocalUpdates((update) => ben.apply(update));
    return {
      ada: { show: (presence) => ada.set('ada', { ...presence }), leave: () => ada.delete('ada') },
      seenByBen: () => Object.values(ben.getAllStates()) as unknown as Presence[],
      saved: () => doc.export({ mode: 'snapshot' }),
      close() {
        ada.destroy();
        ben.destroy();
      },
    };
  });
