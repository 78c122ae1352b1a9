import { type Frontiers, LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { looksBack } from './history.ts';

export const program: Program = () =>
  looksBack<Frontiers>(() => {
    const doc = new LoroDoc();
    const text = doc.getText('text');
    return {
      write(written) {
        text.delete(0, text.length);
        text.insert(0, written);
        doc.commit();
      },
      version: () => doc.frontiers(),
      textAt(frontiers) {
        doc.checkout(frontiers);
        const earlier = text.toString();
        doc.checkoutToLatest();
        return earlier;
      },
      text: () => text.toString(),
    };
  });
