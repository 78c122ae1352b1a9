import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: null,
  besides: ['yjs', 'y-quill', 'y-protocols'],
  algorithm: 'that of yjs, with ordered defects',
  licence: 'Apache-2.0',
  server: 'a relay of the project itself, with ordered defects',
  tier: 'library',
  presence: { lacking: 'It only calibrates the cost of an edit.' },
  colour: { light: '#767676', dark: '#8c8c8c' },
  instrument: true,
};
