import { CRuntime, CText } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { triesText } from './text.ts';

export const program: Program = (capability) =>
  triesText<ReturnType<typeof open>>(capability, 'collabs', {
    create(text) {
      const document = open();
      document.runtime.transact(() => document.text.insert(0, text));
      return document;
    },
    insert(document, position, text) {
      document.runtime.transact(() => document.text.insert(position, text));
      return [document, document.unsent.pop()!];
    },
    receive(document, update) {
      document.runtime.receive(update);
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

function open() {
  const runtime = new CRuntime();
  const unsent: Uint8Array[] = [];
  runtime.on('Send', ({ message }) => unsent.push(message));
  return { runtime, text: runtime.registerCollab('text', (init) => new CText(init)), unsent };
}
