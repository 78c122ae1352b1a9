/** json-joy: a relay that keeps a saved state for newcomers. */
import { compactLog } from '../../editors/json-joy/document.ts';
import { createRelay } from '../kit.ts';

export const server = createRelay({ compact: compactLog });
