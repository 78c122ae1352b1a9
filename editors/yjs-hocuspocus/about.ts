import type { FrameworkAbout } from '../base/framework.ts';
import { about as yjs } from '../yjs/about.ts';

export const about: FrameworkAbout = {
  ...yjs,
  package: '@hocuspocus/provider',
  besides: ['@hocuspocus/server', 'yjs', 'y-quill', 'y-protocols'],
  server: '@hocuspocus/server',
  presence: {
    by: 'the awareness protocol of y-protocols, by the provider and the server of Hocuspocus, with relative positions; y-quill tells of cursors and shows them',
  },
  attaches: { protocol: 'hocuspocus', documentIn: 'messages', hasReaders: true },
  colour: { light: '#003e6b', dark: '#b9dcf7' },
};
