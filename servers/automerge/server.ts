/** Automerge: a relay that keeps a saved state for newcomers. */
import { compactLog } from '../../editors/automerge/document.ts';
import { createRelay } from '../relay.ts';

export const server = createRelay({ compact: compactLog });
