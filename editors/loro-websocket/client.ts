/** Loro over its own protocol: the document of `editors/loro`, with the client of loro-websocket between it and the server. */

import { withWasm } from '../base/framework.ts';
import { type FrameworkClient, unpackLineFormats } from '../base/kit.ts';

const FRAMEWORK = 'loro-websocket';

export const client: FrameworkClient = {
  async join(options) {
    const { joinRoom } = await withWasm(FRAMEWORK, () => import('./replica.ts'));
    return joinRoom(FRAMEWORK, options);
  },
  decode: async (message) => (await import('loro-protocol')).decode(message),
  async load(saved) {
    const { contentsOfSaved } = await withWasm(FRAMEWORK, () => import('../loro/document.ts'));
    return unpackLineFormats(contentsOfSaved(saved));
  },
};
