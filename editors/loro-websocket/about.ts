import type { FrameworkAbout } from '../base/kit.ts';
import { about as loro } from '../loro/about.ts';

export const about: FrameworkAbout = {
  ...loro,
  package: 'loro-websocket',
  server: 'loro-websocket’s SimpleServer',
  tier: 'deployed',
  crowd: {
    kind: 'recorded',
    why: 'An update names the operations that its author saw; once joined, no client waits for an answer of the server.',
  },
  colour: { light: '#e25ae2', dark: '#9959a6' },
  knownIssues: [
    ...loro.knownIssues!,
    {
      summary: 'For each update the server reads and writes the whole document, so its work grows with the document.',
      properties: [],
    },
  ],
};
