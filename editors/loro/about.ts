import { type FrameworkAbout, RELAYED } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: 'loro-crdt',
  algorithm: 'Fugue on Eg-walker’s replay, with Peritext’s style anchors',
  licence: 'MIT',
  ...RELAYED,
  crowd: {
    kind: 'live',
    why: 'What an import costs depends on what others have seen: a recorded crowd, which never sees the probes, multiplies it.',
    takesInBeforeKeys: true,
  },
  presence: {
    by: 'an EphemeralStore, through the relay, with Loro’s stable cursors; the project’s own binding shows them',
  },
  colour: { light: '#b0408f', dark: '#dd8cc4' },
  knownIssues: [
    {
      summary:
        'The cost of importing others’ edits grows with the time that several users have typed without a common pause.',
      properties: [],
    },
    {
      summary:
        'Text typed at the edge of a range that another user formats at the same moment gets the format or not, by chance.',
      properties: [],
    },
  ],
};
