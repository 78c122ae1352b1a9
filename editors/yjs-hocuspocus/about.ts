import type { FrameworkAbout } from '../base/framework.ts';
import { about as yjs } from '../yjs/about.ts';

export const about: FrameworkAbout = {
  ...yjs,
  package: '@hocuspocus/provider',
  server: '@hocuspocus/server',
  colour: { light: '#003e6b', dark: '#b9dcf7' },
};
