/** Real trials without Chrome: whatever is wrong with a framework shows in the verdict. */
import { describe, expect, test, vi } from 'vitest';
import type { Edit } from '../../traces/edits.ts';
import * as client from './at-the-client.ts';
import * as server from './at-the-server.ts';
import type { BrokenFramework } from './broken-framework.ts';
import { goesPastTheHarness } from './past-the-harness.ts';
import { judgeBroken, LATEST, PASTES, WORDS } from './run-broken.ts';

// A step that never happens need not be waited for so long, but users who share a thread take seconds to join.
vi.mock(import('../../harness/trial/steps.ts'), async (original) => {
  const { STEP_LIMITS_MS, ...steps } = await original();
  const limits = { ...STEP_LIMITS_MS, admit: 10_000, admitPerUser: 500 } as unknown as typeof STEP_LIMITS_MS;
  return { ...steps, STEP_LIMITS_MS: limits };
});

test('a framework whose server sends 100 MB is not valid', async () => {
  // All users here share a thread, which takes a while to take it all in.
  const { verdict, codes } = await judgeBroken(server.floods(), { settle: '15s' });
  expect(verdict).not.toBe('valid');
  expect(codes).toContain('unaccounted-text');
});

/** Where the trial itself says that the machine had no time to type, the defect may not have had its edits. */
const retry = { count: 2, condition: /driver-saturated|driver-stalled/ };

// By itself, as it is about time.
test('a framework that hurries markers alone is not valid', { retry }, async () => {
  const { verdict, codes } = await judgeBroken(server.hurriesMentions(), { measure: '8s', settle: LATEST });
  expect(verdict).not.toBe('valid');
  expect(codes).toContain('markers-hurried');
});

// Many at once: they wait more than they work, and none of it is about time.
vi.setConfig({ maxConcurrency: 5 });
describe.concurrent('a framework', { retry }, () => {
  test.each<[string, BrokenFramework, string, Edit[]?]>([
    ['drops every 20th remote edit', client.dropsRemoteEdits, 'diverged'],
    ['ignores its user’s deletions', client.ignoresDeletions, 'editor-differs'],
    ['rolls deletions back', client.rollsDeletionsBack, 'undone-deletions'],
    ['doubles insertions', client.doublesInsertions, 'unaccounted-text'],
    ['doubles the pastes of one user', client.doublesPastesOfOne, 'unaccounted-text', PASTES],
    ['passes its own insertions off as its user’s', client.inventsInsertions, 'invented-edits'],
    ['moves insertions elsewhere', client.movesInsertions, 'vanished-edits'],
    ['puts what stood before an insertion behind it', client.swapsNeighbours, 'unaccounted-text'],
    ['writes what looks like the letters typed', client.writesLookAlikes, 'unaccounted-text'],
    ['takes other letters from its user’s keys', client.hearsOtherKeys, 'altered-edits'],
    ['applies formats elsewhere', client.formatsElsewhere, 'undone-formats'],
    ['throws the cursor to the start', client.throwsTheCursor, 'cursor-thrown'],
    ['tears words', client.tearsWords, 'torn-sigils'],
    ['swallows keys at times', client.swallowsKeysAtTimes, 'swallowed-edits'],
    ['loses bold at one user', client.losesBold, 'diverged'],
    ['swaps two lines at one user', client.swapsLines, 'diverged'],
    ['keeps the last edit of each user', client.keepsTheLastEdit, 'diverged'],
    ['takes the last edit of each user back', client.takesTheLastEditBack, 'vanished-edits', WORDS],
    ['is never ready', client.isNeverReady, 'never-ready'],
    ['throws in its change handler', client.throwsInItsHandler, 'torn-sigils'],
    ['saves the state of an older moment', client.savesAnOlderState, 'saved-state-differs'],
    ['has a server that exits', server.exits, 'server-lost'],
    ['gives who joins late another document', server.givesNewcomersAnother, 'newcomer-differs'],
    ['serves who joins late once', server.servesNewcomersOnce(), 'newcomer-differs'],
    ['cuts one user off', server.cutsOneOff(), 'diverged'],
  ])('that %s is not valid', async (_defect, framework, code, edits) => {
    const { verdict, codes } = await judgeBroken(framework, { edits });
    expect(verdict).not.toBe('valid');
    expect(codes).toContain(code);
  });

  test('that goes past what is counted and delayed is not valid', async () => {
    const { verdict, codes, reasons } = await judgeBroken(goesPastTheHarness(), { delay: '50ms' });
    expect(verdict).toBe('invalid');
    expect(codes).toEqual(expect.arrayContaining(['bytes-uncounted', 'delay-evaded']));
    const bytes = reasons.find(({ code }) => code === 'bytes-uncounted')!.message;
    for (const gap of ['server sent 0 ', 'user-000 sent 0 ', 'user-000 received 0 ']) expect(bytes).toContain(gap);
  });

  test('that does not gather what it receives, as all others do, is valid with a note', async () => {
    const { codes, notes } = await judgeBroken(client.appliesAtOnce);
    // Each message by itself is more work, and other tests have the cores, too.
    expect(codes.filter((code) => code !== 'driver-saturated')).toEqual([]);
    expect(notes.map(({ code }) => code)).toContain('received-at-once');
  });

  test('that takes bold and italic off what is typed is not valid', async () => {
    // Ranges that others format in so short a document are chance, which explains a few.
    const formatOdds = { inline: 0.2, range: 0, block: 0 };
    expect((await judgeBroken(client.stripsTypedFormats, { formatOdds })).codes).toContain('undone-formats');
  });
});
