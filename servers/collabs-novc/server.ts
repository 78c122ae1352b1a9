/** Collabs without vector clocks: the same relay, which passes each message on in its own order. */
import { compactLog } from '../../editors/collabs/replica.ts';
import { createRelay } from '../relay.ts';

export const server = createRelay({
  compact: (savedState, log) => compactLog({ causalityGuaranteed: true }, savedState, log),
});
