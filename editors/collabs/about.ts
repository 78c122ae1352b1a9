import { type FrameworkAbout, RELAYED } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: '@collabs/collabs',
  algorithm: 'CRichText: Fugue with formatting spans like Peritext’s, in causal order by vector clocks',
  licence: 'Apache-2.0',
  ...RELAYED,
  knownIssues: [
    {
      summary:
        'A text counts UTF-16 units that are inserted, but stores whole characters; here they are inserted one by one.',
      properties: [],
    },
    {
      summary: 'Merging saved states brings back deleted characters; here the list is told what the states had seen.',
      properties: [],
    },
  ],
  crowd: {
    kind: 'recorded',
    why: 'A message carries the vector clock of what its author saw; no client waits for an answer of the relay.',
  },
  presence: {
    by: 'a CPresence in a runtime of its own, through the relay, with cursors of Collabs; the project’s own binding shows them',
  },
  colour: { light: '#00916a', dark: '#17b58a' },
};
