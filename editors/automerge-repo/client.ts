/** automerge-repo: the same rich text as `automerge`, kept in step by the library's own repositories and adapters. */

import { unpackLineFormats } from '../base/binding/line-formats.ts';
import { type FrameworkClient, withWasm } from '../base/framework.ts';

export const client: FrameworkClient = {
  async join(options) {
    const { joinRepo } = await withWasm('automerge-repo', () => import('./replica.ts'));
    return joinRepo(options);
  },
  async decode(message) {
    const { cbor } = await import('@automerge/automerge-repo');
    const { decodeSyncMessage } = await import('@automerge/automerge');
    const decoded = cbor.decode(message) as { type: string; data?: Uint8Array };
    // Both hold a message of Automerge itself, whose own type says nothing of this one.
    if (decoded.type !== 'sync' && decoded.type !== 'request') return decoded;
    return { ...decoded, data: decodeSyncMessage(decoded.data!) };
  },
  async load(saved) {
    const { contentsOfSaved } = await withWasm('automerge-repo', () => import('../automerge/rich-text.ts'));
    return unpackLineFormats(contentsOfSaved(saved));
  },
};
