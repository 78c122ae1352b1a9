import { type FrameworkAbout, RELAYED } from '../base/framework.ts';
import { about as yjs } from '../yjs/about.ts';

export const about: FrameworkAbout = {
  ...yjs,
  attaches: undefined,
  stores: undefined,
  knownIssues: undefined,
  ...RELAYED,
  crowd: {
    kind: 'recorded',
    why: 'An update names the items beside which its author typed; no client waits for an answer of the relay.',
    namesNeighboursOnly: true,
    patched: 'Y.Text’s events, and its search for the place of a change',
  },
  presence: {
    by: 'the awareness protocol of y-protocols, through the relay, with relative positions; the project’s own binding shows them',
  },
  colour: { light: '#042195', dark: '#2569d0' },
};
