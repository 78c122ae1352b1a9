/** Real trials without Chrome: whatever is wrong with a framework shows in the verdict, or in the figures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openRecords } from '../../analysis/database.ts';
import type { Edit } from '../../traces/edit.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { OWN_SERVER } from '../frameworks/document-source.ts';
import { runTrial } from '../trial/trial.ts';
import * as client from './at-the-client.ts';
import * as server from './at-the-server.ts';
import { type BrokenFramework, honest } from './broken-framework.ts';
import { inProcessFleet } from './in-process-fleet.ts';
import { interleaves } from './interleaving.ts';

// What never happens need not be waited for so long.
vi.mock(import('../trial/step-limits.ts'), async (original) => {
  const { STEP_LIMITS_MS } = await original();
  return { STEP_LIMITS_MS: { ...STEP_LIMITS_MS, admit: 3000, admitPerUser: 500 } as unknown as typeof STEP_LIMITS_MS };
});

const USERS = 3;

/** Words, lines and deletions near the cursor. */
const PROSE: Edit[] = [
  ...[...'some words '].map((text): Edit => ({ kind: 'key', move: 0, text })),
  { kind: 'backspace', move: 0 },
  { kind: 'key', move: 0, text: '\n' },
  { kind: 'erase', move: -6, length: 3 },
  { kind: 'delete', move: -9 },
  { kind: 'key', move: 12, text: 'é' },
];
/** Everyone types at the document's end, where all others do. */
const AT_THE_END: Edit[] = [{ kind: 'key', move: 100_000, text: 'x' }];
const NO_FORMATS = { inline: 0, range: 0, block: 0 };
const FORMATS = { inline: 0.05, range: 0.1, block: 0.05 };

interface Typing {
  edits?: Edit[];
  formatOdds?: typeof FORMATS;
  send?: string;
  settle?: string;
}

async function experimentWith({ formatOdds = FORMATS, send = '0s', settle = '3s' }: Typing) {
  return resolveExperiment(
    {
      name: 'broken',
      frameworks: ['yjs-relay'],
      modes: ['noquill'],
      users: [USERS],
      durations: { warmUp: '500ms', measure: '2500ms', profile: '0s', settle },
      typing: { keysPerSecond: 20, sigilPeriod: '1s', formatOdds },
      batching: { send, sendFromUsers: 'always' },
    },
    { frameworks: await discoverFrameworks() },
  );
}

interface Figures {
  sent: number;
  /** How many sigils each other screen should have shown, and how many of them it did. */
  wanted: number;
  arrived: number;
  endToEndMs: number[];
}

async function run(framework: BrokenFramework, typing: Typing = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'broken-framework-'));
  try {
    const cell = 'broken-noquill-3';
    const verdict = await runTrial({
      planned: { cell, framework: 'broken', mode: 'noquill', users: USERS, trial: 1, seed: 1, directory: '' },
      experiment: await experimentWith(typing),
      version: '1',
      source: OWN_SERVER,
      startText: '',
      editsFor: () => typing.edits ?? PROSE,
      fleet: inProcessFleet(framework),
      pageFolder: directory,
      directory,
      show: false,
      observer: { onPhase: () => {}, onRecords: () => {} },
      signal: new AbortController().signal,
    });
    return { ...verdict, codes: verdict.reasons.map(({ code }) => code), figures: await figuresIn(directory) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function figuresIn(directory: string): Promise<Figures> {
  await using records = await openRecords([directory]);
  const [counts] = await records.rows<{ sent: number; arrived: number }>('SELECT sent, arrived FROM trial_figures');
  const endToEndMs = await records.numbers("SELECT sample FROM samples WHERE figure = 'endToEndLatencyMs' ORDER BY 1");
  const { sent, arrived } = counts!;
  return { sent, arrived, wanted: sent * (USERS - 1), endToEndMs: [...endToEndMs] };
}

test('a framework that is honest is valid, whatever is typed', async () => {
  const { reasons } = await run(honest);
  expect(reasons).toEqual([]);
});

test('a framework whose server sends 100 MB is not valid', async () => {
  // All users here share a thread, which takes a while to take it all in.
  const { verdict, codes } = await run(server.floods(), { settle: '15s' });
  expect(verdict).not.toBe('valid');
  expect(codes).toContain('unaccounted-text');
});

// Several at once: they wait more than they work, and none of it is about time.
describe.concurrent('a framework', () => {
  test.each<[string, BrokenFramework, string]>([
    ['drops every 20th remote edit', client.dropsRemoteEdits, 'diverged'],
    ['ignores its user’s deletions', client.ignoresDeletions, 'editor-differs'],
    ['rolls deletions back', client.rollsDeletionsBack, 'undone-deletions'],
    ['doubles insertions', client.doublesInsertions, 'unaccounted-text'],
    ['passes its own insertions off as its user’s', client.inventsInsertions, 'invented-edits'],
    ['moves insertions elsewhere', client.movesInsertions, 'vanished-edits'],
    ['loses bold at one user', client.losesBold, 'diverged'],
    ['swaps two lines at one user', client.swapsLines, 'diverged'],
    ['is never ready', client.isNeverReady, 'never-ready'],
    ['throws in its change handler', client.throwsInItsHandler, 'swallowed-edits'],
    ['saves the state of an older moment', client.savesAnOlderState, 'saved-state-differs'],
    ['has a server that exits', server.exits, 'server-lost'],
    ['gives who joins late another document', server.givesNewcomersAnother, 'newcomer-differs'],
    ['cuts one user off', server.cutsOneOff(), 'diverged'],
  ])('that %s is not valid', async (_defect, framework, code) => {
    const { verdict, codes } = await run(framework);
    expect(verdict).not.toBe('valid');
    expect(codes).toContain(code);
  });

  test('that holds what its users do until they are done shows by its latency', async () => {
    const { figures } = await run(client.holdsSends);
    expect(figures.endToEndMs.at(-1)).toBeGreaterThan(1000);
  });

  test('that mixes words typed at once shows by the sigils that arrive', async () => {
    const typing = { edits: AT_THE_END, formatOdds: NO_FORMATS, send: '300ms' };
    const mixed = await run(interleaves, typing);
    const whole = await run(honest, typing);
    // An honest one may break a sigil, too: where others type right behind a part of it.
    expect(mixed.figures.arrived).toBeLessThan(0.5 * whole.figures.arrived);
  });
});
