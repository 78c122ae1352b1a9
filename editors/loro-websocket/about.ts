import type { FrameworkAbout } from '../base/kit.ts';
import { about as loro } from '../loro/about.ts';

export const about: FrameworkAbout = {
  ...loro,
  package: 'loro-websocket',
  besides: ['loro-adaptors', 'loro-crdt', 'loro-protocol', '@loro-dev/flock'],
  server: 'loro-websocket’s SimpleServer',
  tier: 'deployed',
  crowd: {
    kind: 'live',
    why: 'The server drops an update that names operations it lacks, so each must come after the updates that its author saw.',
    takesInBeforeKeys: true,
  },
  attaches: { protocol: 'loro-protocol', documentIn: 'messages', hasReaders: true },
  stores: {
    sqlite: {
      by: 'onLoadDocument and onSaveDocument of SimpleServer, bound here to the SQLite of Node',
      writes: 'the whole document, each 60 s if it has changed, and when the server stops',
      inWorlds: [],
      writtenMs: 65_000,
    },
  },
  presence: {
    lacking: 'Its protocol has a channel for messages that are not kept, but the client here does not use it yet.',
  },
  colour: { light: '#31023b', dark: '#ab496a' },
  knownIssues: [
    ...loro.knownIssues!,
    {
      summary:
        'For each update the server reads and writes the whole document. Its work grows with the document, and quick writers wait long.',
      // 1,500 edits within a few seconds take the server longer than users have to agree. They do agree later.
      // So do the 5,000 of many authors, on the way to a document that is long.
      properties: ['random', 'many-authors'],
      says: 'too slow: ',
    },
    {
      summary: 'The server acknowledges an update that arrives before one it builds on, but drops it.',
      properties: [],
    },
    {
      summary: 'In a browser, a client whose server falls silent does not give its connection up.',
      properties: [],
    },
    {
      summary:
        'What arrives while a document is being saved counts as saved, and is kept only if another edit follows.',
      properties: [],
      worlds: { invariants: ['kept', 'deleted'], after: ['restart'], waitsForStore: true },
    },
    {
      summary:
        'Where two users open a stored document at once, the server may lose what the first typed before the second had it.',
      properties: [],
    },
  ],
};
