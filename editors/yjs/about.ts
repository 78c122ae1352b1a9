import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: 'yjs',
  algorithm: 'YATA',
  licence: 'MIT',
  server: '@y/websocket-server',
  tier: 'deployed',
  colour: { light: '#0072b2', dark: '#3f9ee0' },
};
