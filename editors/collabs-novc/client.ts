/** Collabs without vector clocks: the relay passes messages on in one order, which is a causal one. */
import { createClient } from '../collabs/client.ts';
import type { FrameworkClient } from '../framework.ts';

export const client: FrameworkClient = createClient('collabs-novc', { causalityGuaranteed: true });
