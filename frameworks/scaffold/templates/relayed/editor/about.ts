import type { FrameworkAbout } from '../../../../../editors/base/kit.ts';

/** TO WRITE: what is true of the library; now it says what is true of Yjs. */
export const about: FrameworkAbout = {
  // The npm package whose installed version is the framework's. Null: it has the project's own version.
  package: null,
  // Packages of package.json that its code takes beside that one: installed when the framework is named first.
  besides: ['yjs'],
  algorithm: 'YATA',
  licence: 'MIT',
  server: 'a relay of the project itself',
  // The server's work is not the library's: it only relays. 'deployed' is for a server of the library's own.
  tier: 'library',
  // Colour of its lines in charts, on light and on dark ground. A test proves that it can be told apart from all others.
  colour: { light: '#000000', dark: '#ffffff' },
  // If nothing that a joined client sends depends on the server's answers, simulated users may stand in for real ones and
  // cost less; see "The crowd" in docs/project/adding-a-framework.md. Absent, or outside the project: real ones, which is always right.
  // crowd: { kind: 'recorded', why: 'A message names …; no client waits for an answer of the relay.' },
  // Known issues: failures of the library itself, each with the least code that shows it in README.md.
  // knownIssues: [{ summary: 'What a user meets, in one sentence.', properties: ['what `check` may see fail'] }],
};
