/** With the awareness protocol, which is a package of its own, `y-protocols`, by the same authors. */
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { type Presence, showsPresence } from './presence.ts';

export const program: Program = () =>
  showsPresence(() => {
    const [ada, ben] = [new Awareness(new Y.Doc()), new Awareness(new Y.Doc())];
    ben.setLocalState(null);
    ada.on('update', (change: Record<'added' | 'updated' | 'removed', number[]>) => {
      const clients = [...change.added, ...change.updated, ...change.removed];
      applyAwarenessUpdate(ben, encodeAwarenessUpdate(ada, clients), 'network');
    });
    return {
      ada: { show: (presence) => ada.setLocalState({ ...presence }), leave: () => ada.setLocalState(null) },
      seenByBen: () => [...ben.getStates().values()] as Presence[],
      saved: () => Y.encodeStateAsUpdate(ada.doc),
      close() {
        ada.destroy();
        ben.destroy();
      },
    };
  });
