import type { FrameworkAbout } from '../base/framework.ts';
import { about as yjs } from '../yjs/about.ts';

export const about: FrameworkAbout = {
  ...yjs,
  server: 'pycrdt-websocket (Yrs in Python)',
  stores: {
    sqlite: {
      by: 'SQLiteYStore of pycrdt-store',
      writes: 'each update in a row of its own, and after each 100 the whole state',
    },
    files: { by: 'FileYStore of pycrdt-store', writes: 'each update, at the end of the document’s file' },
  },
  knownIssues: [
    {
      summary:
        'Of two users who come to a new document at once, the second waits for ever; here rooms open one by one.',
      properties: [],
    },
    {
      summary: 'The last edit of the last user is not stored: when that user leaves, writes under way are cancelled.',
      properties: [],
    },
  ],
  needs: { python: '3.11' },
  crowd: {
    kind: 'live',
    why: 'Its server is a program of its own, so no crowd can be simulated with it beforehand.',
    patched: 'Y.Text’s events, and its search for the place of a change',
  },
  presence: {
    lacking:
      'Its server passes awareness on, but sends a newcomer no cursor of a present user until that user moves it.',
  },
  colour: { light: '#1a98ff', dark: '#126fa1' },
};
