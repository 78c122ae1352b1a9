import type { FrameworkAbout } from '../../../../../editors/base/kit.ts';

/** TO WRITE: what is true of the library; now it says what is true of Yjs. */
export const about: FrameworkAbout = {
  // The npm package whose installed version is the framework's. Null: it has the project's own version.
  package: null,
  // Packages of package.json that its code takes beside that one: installed when the framework is named first.
  besides: ['yjs', 'y-protocols', '@y/websocket-server', 'y-leveldb'],
  algorithm: 'YATA',
  licence: 'MIT',
  server: 'its own, y-websocket, in memory',
  // The server is the library's own and does work for its clients. 'library' is for one that only relays.
  tier: 'deployed',
  // The client's own way of gathering, if it has one; the experiment's send batches are then left out.
  // withoutSendBatching: 'It keeps one change on its way and composes later edits into the next.',
  // If nothing that a joined client sends depends on the server's answers, simulated users may stand in for real ones and
  // cost less; see "The crowd" in docs/project/adding-a-framework.md. Absent, or outside the project: real ones, which is always right.
  // crowd: { kind: 'recorded', why: 'A message names …; no client waits for an answer of the server.' },
  // Colour of its lines in charts, on light and on dark ground. A test proves that it can be told apart from all others.
  colour: { light: '#000000', dark: '#ffffff' },
  // Known issues: failures of the library itself, each with the least code that shows it in README.md.
  // knownIssues: [{ summary: 'What a user meets, in one sentence.', properties: ['what `check` may see fail'] }],
};
