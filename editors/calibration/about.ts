import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: null,
  algorithm: 'that of yjs, with the defects that it is told',
  licence: 'Apache-2.0',
  server: 'a relay of the project itself, with the defects that it is told',
  tier: 'library',
  presence: { lacking: 'It is made to calibrate what an edit costs.' },
  colour: { light: '#767676', dark: '#8c8c8c' },
  instrument: true,
};
