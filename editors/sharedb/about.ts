import type { FrameworkAbout } from '../framework.ts';

export const about: FrameworkAbout = {
  package: 'sharedb',
  algorithm: 'operational transformation (rich-text)',
  licence: 'MIT',
  server: 'sharedb',
  modes: ['optquill', 'noquill'],
};
