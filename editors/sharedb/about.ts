import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: 'sharedb',
  besides: ['rich-text', '@teamwork/websocket-json-stream', 'events'],
  algorithm: 'operational transformation (rich-text)',
  licence: 'MIT',
  server: 'sharedb',
  tier: 'deployed',
  withoutSendBatching: 'It keeps one operation on its way and composes later edits into the next.',
  crowd: {
    kind: 'live',
    why: 'An operation names the version that the server had reached, and the next waits for its acknowledgement.',
    patched:
      'the rich-text type, which holds changes back and composes them together, and quill-delta’s push and composition of attributes',
  },
  attaches: { protocol: 'sharedb-json', documentIn: 'messages', hasReaders: true },
  stores: {
    postgres: {
      by: 'sharedb-postgres, which asks for ShareDB 5 and is given 7',
      writes: 'each operation, and the whole document after it, in one statement before the operation is acknowledged',
      packages: ['sharedb-postgres', 'pg'],
      inWorlds: [],
    },
  },
  severalServers: {
    by: 'sharedb-redis-pubsub: an operation is committed to the database that they share, and then published by Redis',
    needsRedis: true,
    needsStore: 'postgres',
    packages: ['sharedb-redis-pubsub'],
  },
  knownIssues: [
    {
      summary:
        'A server that starts again from memory does not know the versions that its clients hold: it refuses their edits, or leaves them apart.',
      properties: [],
      worlds: {
        invariants: ['connected', 'agree', 'shown', 'kept', 'once', 'deleted', 'order', 'newcomer', 'join', 'sound'],
        after: ['restart'],
        hasStore: false,
      },
    },
    {
      summary:
        'An edit that is made while Redis is away between several servers reaches the users of the others only with the next edit.',
      properties: [],
      worlds: { invariants: ['agree', 'kept', 'deleted', 'newcomer'], after: ['apart', 'broker'] },
    },
    {
      summary:
        'Of several servers, one at which the last user leaves as another comes hears the others no more, until all have left: its users get their text only with edits of their own.',
      properties: [],
      worlds: {
        invariants: ['agree', 'kept', 'deleted', 'newcomer'],
        after: ['cut', 'close', 'leave', 'reload', 'crash', 'restart'],
        areSeveral: true,
      },
    },
    {
      summary: 'An edit that is made while the database is away is refused, and its author is cut off.',
      properties: [],
    },
  ],
  presence: {
    by: 'ShareDB’s presence of a document: ranges that the rich-text type moves with each change, at every client; the project’s own binding shows them',
  },
  colour: { light: '#bd8200', dark: '#f0c23c' },
};
