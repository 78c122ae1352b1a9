import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: 'loro-crdt',
  algorithm: 'Fugue on Eg-walker’s replay, with Peritext’s style anchors',
  licence: 'MIT',
  server: 'a relay of the project itself, which hands a newcomer a saved state',
  tier: 'library',
  crowd: {
    kind: 'recorded',
    why: 'An update names the operations that its author saw; no client waits for an answer of the relay.',
  },
  presence: {
    by: 'an EphemeralStore, through the relay, with Loro’s stable cursors; the project’s own binding shows them',
  },
  colour: { light: '#b0408f', dark: '#dd8cc4' },
  knownIssues: [
    {
      summary: 'Taking in others’ edits costs the more, the longer several users have typed without a common pause.',
      properties: [],
    },
    {
      summary: 'Whether text typed at the edge of what another user formats at that moment gets the format is chance.',
      properties: [],
    },
  ],
};
