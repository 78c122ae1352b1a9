/** Loro: a LoroText behind the project's own binding and relay. */
import { relayedClient } from '../base/binding/relayed.ts';
import { type FrameworkClient, withWasm } from '../base/framework.ts';

export const client: FrameworkClient = {
  ...relayedClient('loro', () => withWasm('loro', () => import('./document.ts'))),
  decode: async (message) => (await import('./decode.ts')).decodeUpdate(message),
};
