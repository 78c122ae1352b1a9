/** Loro: a LoroText behind the project's own binding and relay. */

import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { joinThroughRelay } from '../base/binding/relayed.ts';
import { type FrameworkClient, withWasm } from '../base/framework.ts';

const load = () => withWasm('loro', () => import('./document.ts'));

export const client: FrameworkClient = {
  async join(options) {
    const { createDocument } = await load();
    return joinThroughRelay('loro', createDocument(), options);
  },
  async load(saved) {
    const { contentsOfSaved } = await load();
    return unpackLineFormats(contentsOfSaved(saved));
  },
};
