import { type FrameworkAbout, RELAYED } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: '@automerge/automerge',
  algorithm: 'RGA, with formatting marks after Peritext',
  licence: 'MIT',
  ...RELAYED,
  crowd: {
    kind: 'recorded',
    why: 'A change names the changes that its author saw; no client waits for an answer of the relay.',
    // 46 documents of a trial of 370 s filled a memory's 4 GiB.
    usersPerMemory: 16,
  },
  presence: { lacking: 'The library has cursors, but sends nothing; automerge-repo does.' },
  colour: { light: '#c23b06', dark: '#f0763c' },
  knownIssues: [
    {
      summary: 'Taking in an edit of another costs the more, the longer the document, however small the edit is.',
      properties: [],
    },
  ],
};
