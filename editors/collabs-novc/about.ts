import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: '@collabs/collabs',
  algorithm: 'CRichText: Fugue with formatting spans like Peritext’s, in the relay’s order, without vector clocks',
  licence: 'Apache-2.0',
  server: 'a relay of the project itself, which hands a newcomer a saved state',
  tier: 'library',
  colour: { light: '#00523b', dark: '#93e6cb' },
};
