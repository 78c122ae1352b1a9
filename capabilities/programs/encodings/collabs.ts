import { CRuntime, CText } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { staysReadable } from './encodings.ts';

export const program: Program = () =>
  staysReadable<ReturnType<typeof open>>(
    {
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
    },
    'collabs',
  );

function open() {
  const runtime = new CRuntime();
  return { runtime, text: runtime.registerCollab('text', (init) => new CText(init)) };
}
