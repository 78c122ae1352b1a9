import { CRuntime, CText } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { mergesOffline } from './offline.ts';

function open() {
  const runtime = new CRuntime();
  return { runtime, text: runtime.registerCollab('text', (init) => new CText(init)) };
}

export const program: Program = () =>
  mergesOffline<ReturnType<typeof open>>({
    create(text) {
      const document = open();
      document.runtime.transact(() => document.text.insert(0, text));
      return document;
    },
    insert(document, position, text) {
      document.runtime.transact(() => document.text.insert(position, text));
      return document;
    },
    text: ({ text }) => text.toString(),
    save: ({ runtime }) => runtime.save(),
    load(saved) {
      const document = open();
      document.runtime.load(saved);
      return document;
    },
    exchange(one, other) {
      const forOther = one.runtime.save();
      one.runtime.load(other.runtime.save());
      other.runtime.load(forOther);
      return [one, other];
    },
  });
