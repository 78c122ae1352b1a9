/** Loro: a LoroText behind the project's own binding and relay. */
import { relayedClient } from '../base/binding/relayed.ts';
import { withWasm } from '../base/framework.ts';

export const client = relayedClient('loro', () => withWasm('loro', () => import('./document.ts')));
