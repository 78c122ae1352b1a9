import type { FrameworkAbout } from '../base/framework.ts';
import { about as sharedb } from '../sharedb/about.ts';

export const about: FrameworkAbout = {
  ...sharedb,
  server: 'sharedb, with its own MemoryDB',
  colour: { light: '#9e8d4c', dark: '#8a7349' },
};
