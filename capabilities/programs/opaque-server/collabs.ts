import { CRuntime, CText } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { agreesThroughOpaqueServer } from './relay.ts';

export const program: Program = () =>
  agreesThroughOpaqueServer<ReturnType<typeof create>>({
    seed(text) {
      const seed = create();
      seed.runtime.transact(() => seed.text.insert(0, text));
      return seed.runtime.save();
    },
    open(seed) {
      const document = create();
      document.runtime.load(seed);
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
  });

function create() {
  const runtime = new CRuntime();
  const unsent: Uint8Array[] = [];
  runtime.on('Send', ({ message }) => unsent.push(message));
  return { runtime, text: runtime.registerCollab('text', (init) => new CText(init)), unsent };
}
