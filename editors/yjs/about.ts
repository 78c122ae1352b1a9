import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: 'yjs',
  algorithm: 'YATA',
  licence: 'MIT',
  server: '@y/websocket-server',
  modes: ['optquill', 'noquill'],
};
