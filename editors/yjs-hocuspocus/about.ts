import type { FrameworkAbout } from '../base/framework.ts';
import { about as yjs } from '../yjs/about.ts';

const WRITES = 'the whole state, 2 s after the last edit, 10 s after the first, and when the last user leaves';

export const about: FrameworkAbout = {
  ...yjs,
  package: '@hocuspocus/provider',
  besides: ['@hocuspocus/server', 'yjs', 'y-quill', 'y-protocols'],
  releasedTogether: [
    '@hocuspocus/common',
    '@hocuspocus/extension-database',
    '@hocuspocus/extension-redis',
    '@hocuspocus/extension-sqlite',
    '@hocuspocus/server',
  ],
  server: '@hocuspocus/server',
  stores: {
    sqlite: { by: 'extension-sqlite of Hocuspocus', writes: WRITES, packages: ['@hocuspocus/extension-sqlite'] },
    postgres: {
      by: 'extension-database of Hocuspocus, with a row for each document',
      writes: WRITES,
      packages: ['@hocuspocus/extension-database', 'pg'],
      inWorlds: ['@hocuspocus/extension-database'],
    },
  },
  severalServers: {
    by: 'extension-redis of Hocuspocus: who changed tells by Redis what it holds, and who holds other things answers with them',
    needsRedis: true,
    packages: ['@hocuspocus/extension-redis'],
  },
  knownIssues: [
    {
      summary:
        'Of several servers with a store, one may leave an edit unwritten that all have seen, if another writes at that moment and nobody types on.',
      properties: [],
      worlds: { invariants: ['kept', 'deleted'], after: ['leave', 'reload'], hasStore: true, areSeveral: true },
    },
    {
      summary:
        'What is typed while a server is cut off from Redis, or Redis is away, reaches the users of other servers only with the next edit there.',
      properties: [],
      worlds: { invariants: ['agree', 'kept', 'deleted', 'newcomer'], after: ['apart', 'broker'] },
    },
    {
      summary:
        'As a user comes back after a break, what others replace may go before its replacement comes, until all that was missed is there.',
      properties: [],
      worlds: { invariants: ['whole'], after: ['cut', 'close', 'restart'] },
    },
    {
      summary:
        'After a break in which a user typed, the client may tell that all is saved while the next edit still waits to be sent.',
      properties: [],
      // In one of some 20,000 worlds: what could excuse it there would excuse more.
    },
  ],
  presence: {
    by: 'the awareness protocol of y-protocols, by the provider and the server of Hocuspocus, with relative positions; y-quill tells of cursors and shows them',
  },
  attaches: { protocol: 'hocuspocus', documentIn: 'messages', hasReaders: true },
  colour: { light: '#003e6b', dark: '#b9dcf7' },
};
