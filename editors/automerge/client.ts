/** Automerge: a string with marks behind the project's own binding and relay. */
import type { FrameworkClient } from '../framework.ts';
import { unpackLineFormats } from '../line-formats.ts';
import { joinThroughRelay } from '../relayed.ts';
import { withAutomerge } from './library.ts';

const load = () => withAutomerge('automerge', () => import('./document.ts'));

export const client: FrameworkClient = {
  async join(options) {
    const { createDocument } = await load();
    return joinThroughRelay('automerge', createDocument(), options);
  },
  async load(saved) {
    const { contentsOfSaved } = await withAutomerge('automerge', () => import('./rich-text.ts'));
    return unpackLineFormats(contentsOfSaved(saved));
  },
};
