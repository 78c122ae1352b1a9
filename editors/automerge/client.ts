/** Automerge: a string with marks behind the project's own binding and relay. */

import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { joinThroughRelay } from '../base/binding/relayed.ts';
import { type FrameworkClient, withWasm } from '../base/framework.ts';

const load = () => withWasm('automerge', () => import('./document.ts'));

export const client: FrameworkClient = {
  async join(options) {
    const { createDocument } = await load();
    return joinThroughRelay('automerge', createDocument(), options);
  },
  async load(saved) {
    const { contentsOfSaved } = await withWasm('automerge', () => import('./rich-text.ts'));
    return unpackLineFormats(contentsOfSaved(saved));
  },
};
