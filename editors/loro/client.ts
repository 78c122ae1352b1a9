/** Loro: a LoroText behind the project's own binding and relay. */

import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { joinThroughRelay } from '../base/binding/relayed.ts';
import type { FrameworkClient } from '../base/framework.ts';

export const client: FrameworkClient = {
  async join(options) {
    const { createDocument } = await loadLoro();
    return joinThroughRelay('loro', createDocument(), options);
  },
  async load(saved) {
    const { createDocument } = await loadLoro();
    const document = createDocument();
    document.receive([saved]);
    return unpackLineFormats(document.contents());
  },
};

/** @throws Error where Loro's WebAssembly does not load, which happens when its module is first imported */
async function loadLoro(): Promise<typeof import('./document.ts')> {
  try {
    return await import('./document.ts');
  } catch (cause) {
    const why = 'its package or its WebAssembly file (3.6 MB) is missing, or the engine refuses WebAssembly';
    const remedy = 'run npm ci, and see that nothing between the page and its server blocks .wasm files';
    throw new Error(`loro: the package loro-crdt does not load: ${why}; ${remedy} (${cause})`, { cause });
  }
}
