/** Collabs: a CRichText behind the project's own binding and relay. */
import { relayedClient } from '../base/binding/relayed.ts';
import { collabsWith } from './document.ts';

export const client = relayedClient('collabs', () => collabsWith({ causalityGuaranteed: false }));
