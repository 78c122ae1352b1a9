/** Collabs without vector clocks: the relay passes messages on in one order, which is a causal one. */
import { relayedClient } from '../base/binding/relayed.ts';
import { collabsWith } from '../collabs/document.ts';

export const client = relayedClient('collabs-novc', () => collabsWith({ causalityGuaranteed: true }));
