import { CRichText, type CRuntime } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { type Holder, pair } from '../pairs/collabs.ts';
import { keepsIntent, type RichText } from './rich-text.ts';

export const program: Program = (capability) =>
  keepsIntent(capability, (text) => pair({ register, begin: (content) => content.insert(0, text, {}), bind }));

function register(runtime: CRuntime) {
  return runtime.registerCollab(
    'text',
    (init) => new CRichText<Record<string, unknown>>(init, { noGrowAtEnd: ['link'] }),
  );
}

/** An insert always names its formats. */
function bind({ runtime, content: text }: Holder<ReturnType<typeof register>>): RichText {
  return {
    insert: (position, typed) => runtime.transact(() => text.insert(position, typed, {})),
    insertWith: (position, typed, formats) => runtime.transact(() => text.insert(position, typed, formats)),
    format: (start, end, name, value) => runtime.transact(() => text.format(start, end, name, value)),
    unformat: (start, end, name) => runtime.transact(() => text.format(start, end, name, undefined)),
    spans: () => text.formatted().map(({ values, format }) => ({ text: values, formats: format })),
  };
}
