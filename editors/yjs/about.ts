import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: 'yjs',
  algorithm: 'YATA',
  licence: 'MIT',
  server: '@y/websocket-server',
  tier: 'deployed',
  crowd: {
    kind: 'recorded',
    why: 'An update names the items beside which its author typed; once joined, no client waits for an answer of the server.',
    namesNeighboursOnly: true,
  },
  colour: { light: '#0072b2', dark: '#3f9ee0' },
};
