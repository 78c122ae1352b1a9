import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: '@collabs/collabs',
  algorithm: 'CRichText: Fugue with formatting spans like Peritext’s, in causal order by vector clocks',
  licence: 'Apache-2.0',
  server: 'a relay of the project itself, which hands a newcomer a saved state',
  tier: 'library',
  colour: { light: '#00916a', dark: '#17b58a' },
};
