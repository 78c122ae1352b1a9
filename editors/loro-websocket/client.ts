/** Loro over its own protocol: the document of `editors/loro`, with the client of loro-websocket between it and the server. */

import { withWasm } from '../base/framework.ts';
import { type FrameworkClient, unpackLineFormats } from '../base/kit.ts';

const FRAMEWORK = 'loro-websocket';

export const client: FrameworkClient = {
  resumes: true,
  async join(options) {
    const { joinRoom } = await withWasm(FRAMEWORK, () => import('./replica.ts'));
    return joinRoom(FRAMEWORK, options);
  },
  async decode(message) {
    const [{ decode }, { decodeUpdate }] = await Promise.all([import('loro-protocol'), import('../loro/decode.ts')]);
    const decoded = decode(message);
    return 'updates' in decoded ? { ...decoded, updates: decoded.updates.map(decodeUpdate) } : decoded;
  },
  async load(saved) {
    const { contentsOfSaved } = await withWasm(FRAMEWORK, () => import('../loro/document.ts'));
    return unpackLineFormats(contentsOfSaved(saved));
  },
};
