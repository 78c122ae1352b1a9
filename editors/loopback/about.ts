import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: null,
  algorithm: 'none (changes are relayed, not merged)',
  licence: 'Apache-2.0',
  server: 'a relay of the project itself',
  tier: 'library',
  crowd: {
    kind: 'recorded',
    why: 'Its one writer sends each change as it makes it, and the others send nothing.',
  },
  presence: { lacking: 'There is no library.' },
  colour: { light: '#838b98', dark: '#808896' },
  oneWriter: true,
  baseline: true,
};
