import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: 'yjs',
  besides: ['y-quill', 'y-protocols', '@y/websocket-server', 'y-leveldb'],
  algorithm: 'YATA',
  licence: 'MIT',
  server: '@y/websocket-server',
  tier: 'deployed',
  stores: {
    leveldb: {
      by: 'y-leveldb, by the persistence of @y/websocket-server',
      writes: 'each update, behind those before it; more than 500 become one when the document is next loaded',
      inWorlds: [],
    },
  },
  crowd: {
    kind: 'recorded',
    why: 'An update names the items beside which its author typed; once joined, no client waits for an answer of the server.',
    namesNeighboursOnly: true,
    patched: 'Y.Text’s events, and its search for the place of a change',
  },
  presence: {
    by: 'the awareness protocol of y-protocols, which the stock server keeps and passes on, with relative positions; y-quill tells of cursors and shows them',
  },
  attaches: { protocol: 'y-websocket', documentIn: 'path', hasReaders: true },
  knownIssues: [
    {
      summary:
        'With LevelDB, the first to open a document after a restart is in sync with an empty one, until the server has read the stored one.',
      properties: [],
    },
  ],
  colour: { light: '#0072b2', dark: '#3f9ee0' },
};
