/** Collabs without vector clocks: the relay passes messages on in one order, which is a causal one. */

import type { FrameworkClient } from '../base/framework.ts';
import { createClient } from '../collabs/client.ts';

export const client: FrameworkClient = createClient('collabs-novc', { causalityGuaranteed: true });
