/** Collabs: a relay that keeps a saved state for newcomers. */
import { compactLog } from '../../editors/collabs/replica.ts';
import { createRelay } from '../relay.ts';

export const server = createRelay({
  compact: (savedState, log) => compactLog({ causalityGuaranteed: false }, savedState, log),
});
