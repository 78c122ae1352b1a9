/** For tests: the assignment of a user who is alone, and to whom nothing happens. */
import { NO_LINK } from '../../../infra/network/link.ts';
import type { Assignment } from '../protocol.ts';

export const ASSIGNMENT: Assignment = {
  user: 0,
  users: 1,
  framework: 'loopback',
  mode: 'node',
  seed: 1,
  writes: true,
  serverUrl: 'ws://127.0.0.1:1/token',
  pageUrl: 'http://127.0.0.1:2/token/',
  documentId: 'document',
  batching: { receiveMs: 0, sendMs: 0 },
  link: NO_LINK,
  faults: [],
  typing: {
    keysPerSecond: 6,
    sigilPeriodMs: 10_000,
    rhythm: 'jittered',
    longestEdit: null,
    changeSigils: false,
    cursorMoves: 0,
    formatOdds: { inline: 0, range: 0, block: 0 },
  },
  edits: [{ kind: 'key', move: 0, text: 'x' }],
};
