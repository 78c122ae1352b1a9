import type { FrameworkAbout } from '../base/kit.ts';

export const about: FrameworkAbout = {
  package: 'json-joy',
  algorithm: 'RGA by blocks, in splay trees, with formats as Peritext’s slices',
  licence: 'Apache-2.0',
  server: 'a relay of the project itself, which hands a newcomer a saved state',
  tier: 'library',
  presence: { lacking: 'The JSON CRDT and its extensions have no messages that are sent but not kept.' },
  colour: { light: '#0d0df2', dark: '#5151f6' },
  knownIssues: [
    {
      summary: 'The cost of each change and each receive batch grows with the number of ranges ever formatted.',
      properties: [],
    },
    {
      summary: 'An update that arrives before one that it builds on is dropped silently.',
      properties: [],
    },
  ],
};
