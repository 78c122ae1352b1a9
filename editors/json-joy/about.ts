import type { FrameworkAbout } from '../base/kit.ts';

export const about: FrameworkAbout = {
  package: 'json-joy',
  algorithm: 'RGA by blocks, in splay trees, with formats as Peritext’s slices',
  licence: 'Apache-2.0',
  server: 'a relay of the project itself, which hands a newcomer a saved state',
  tier: 'library',
  presence: { lacking: 'The JSON CRDT and its extensions have nothing that is sent and not kept.' },
  colour: { light: '#0d0df2', dark: '#5151f6' },
  knownIssues: [
    {
      summary: 'Each change and each receive batch costs the more, the more ranges were ever formatted.',
      properties: [],
    },
    {
      summary: 'An update that comes before one that it builds on is dropped without a word.',
      properties: [],
    },
  ],
};
