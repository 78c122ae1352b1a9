import type { FrameworkAbout } from '../base/framework.ts';
import { about as yjs } from '../yjs/about.ts';

export const about: FrameworkAbout = {
  ...yjs,
  colour: { light: '#2d55e0', dark: '#5a82ff' },
  knownIssues: [
    ...yjs.knownIssues!,
    {
      summary: 'Two users who give one line a header and a list at the same time see different lines from then on.',
      properties: ['line-formats'],
      worlds: { invariants: ['agree', 'shown'], after: ['line'] },
    },
    {
      summary: 'In Quill, an emoji typed before another that begins with the same UTF-16 unit becomes two U+FFFD.',
      properties: ['alike-emoji'],
    },
  ],
};
