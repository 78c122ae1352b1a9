import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: '@automerge/automerge',
  algorithm: 'RGA, with formatting marks after Peritext',
  licence: 'MIT',
  server: 'a relay of the project itself, which hands a newcomer a saved state',
  tier: 'library',
  colour: { light: '#c23b06', dark: '#f0763c' },
};
