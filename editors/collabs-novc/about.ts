import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: '@collabs/collabs',
  algorithm: 'CRichText: Fugue with formatting spans like Peritext’s, in the relay’s order, without vector clocks',
  licence: 'Apache-2.0',
  server: 'a relay of the project itself, which hands a newcomer a saved state',
  tier: 'library',
  crowd: {
    kind: 'recorded',
    why: 'A message names no answer of the server. The order of the relay’s log alone puts it after the messages that its author saw.',
    restsOnOrder: true,
  },
  presence: {
    by: 'a CPresence in a runtime of its own, through the relay, with cursors of Collabs; the project’s own binding shows them',
  },
  colour: { light: '#00523b', dark: '#93e6cb' },
};
