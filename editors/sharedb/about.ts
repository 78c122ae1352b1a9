import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: 'sharedb',
  algorithm: 'operational transformation (rich-text)',
  licence: 'MIT',
  server: 'sharedb',
  colour: { light: '#bd8200', dark: '#f0c23c' },
};
