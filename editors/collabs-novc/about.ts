import type { FrameworkAbout } from '../base/framework.ts';
import { about as collabs } from '../collabs/about.ts';

export const about: FrameworkAbout = {
  ...collabs,
  algorithm: 'CRichText: Fugue with formatting spans like Peritext’s, in the relay’s order, without vector clocks',
  crowd: {
    kind: 'recorded',
    why: 'A message names no answer of the server. The order of the relay’s log alone puts it after the messages that its author saw.',
    restsOnOrder: true,
  },
  colour: { light: '#00523b', dark: '#93e6cb' },
};
