import type { FrameworkAbout } from '../base/framework.ts';
import { about as sharedb } from '../sharedb/about.ts';

export const about: FrameworkAbout = {
  ...sharedb,
  server: 'sharedb, with its own MemoryDB',
  colour: { light: '#7d5600', dark: '#f7e0a0' },
};
