import type { FrameworkAbout } from '../base/framework.ts';

export const about: FrameworkAbout = {
  package: '@automerge/automerge',
  algorithm: 'RGA, with formatting marks after Peritext',
  licence: 'MIT',
  server: 'a relay of the project itself',
  modes: ['optquill', 'noquill'],
};
