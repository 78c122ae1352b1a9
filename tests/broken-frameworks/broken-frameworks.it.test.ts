/** Real trials without Chrome: whatever is wrong with a framework shows in the verdict, or in the figures. */
import { describe, expect, test, vi } from 'vitest';
import type { CellSummary } from '../../results/formats/summary.ts';
import type { Edit } from '../../traces/edits.ts';
import * as client from './at-the-client.ts';
import * as server from './at-the-server.ts';
import { type BrokenFramework, honest } from './broken-framework.ts';
import { interleaves } from './interleaving.ts';
import { AT_THE_END, judgeBroken, measureBroken, NO_FORMATS, PASTES, WORDS } from './run-broken.ts';

// Steps that never happen need not be waited for so long.
vi.mock(import('../../harness/trial/steps.ts'), async (original) => {
  const { STEP_LIMITS_MS, ...timeline } = await original();
  const limits = { ...STEP_LIMITS_MS, admit: 3000, admitPerUser: 500 } as unknown as typeof STEP_LIMITS_MS;
  return { ...timeline, STEP_LIMITS_MS: limits };
});

test('a framework that is honest is valid, whatever is typed', async () => {
  const { reasons } = await judgeBroken(honest);
  expect(reasons).toEqual([]);
});

test('a framework whose server sends 100 MB is not valid', async () => {
  // All users here share a thread, which takes a while to take it all in.
  const { verdict, codes } = await judgeBroken(server.floods(), { settle: '15s' });
  expect(verdict).not.toBe('valid');
  expect(codes).toContain('unaccounted-text');
});

// Many at once: they wait more than they work, and none of it is about time.
vi.setConfig({ maxConcurrency: 8 });
describe.concurrent('a framework', () => {
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

  test('that takes bold and italic off what is typed is not valid', async () => {
    // Ranges that others format in so short a document are chance, which explains a few.
    const formatOdds = { inline: 0.2, range: 0, block: 0 };
    expect((await judgeBroken(client.stripsTypedFormats, { formatOdds })).codes).toContain('undone-formats');
  });

  test('that holds what its users do until they are done shows by its latency', async () => {
    const { endToEndMs } = await measureBroken(client.holdsSends);
    expect(endToEndMs.at(-1)).toBeGreaterThan(1000);
  });

  test('that lets one user wait for what the others type shows by the same', async () => {
    const { endToEndMs } = await measureBroken(client.letsOneWait, { settle: '6s' });
    expect(endToEndMs.at(-1)).toBeGreaterThan(1000);
  });

  test('that delays everything loses nothing, and is not fully functional', async () => {
    // Nothing is taken back, so users hold one document only once all has arrived.
    const typing = { edits: AT_THE_END, formatOdds: NO_FORMATS };
    const { codes, cell } = await measureBroken(server.isLate, { ...typing, settle: '6s' });
    for (const lost of ['diverged', 'lost-edits', 'unaccounted-text']) expect(codes).not.toContain(lost);
    expect(cell).toMatchObject({ fullyFunctional: false, sigilsArrivedPercent: 100 });
    expect(cell.endToEndLatencyMs.p50).toBeGreaterThan(3000);
  });

  test('that shows markers at once, and all else much later, is not smooth', async () => {
    const trial = { measure: '10s', sigilPeriod: '10s', settle: '6s' };
    const { cell, endToEndMs } = await measureBroken(server.flushesAtMarkers(), trial);
    expect(endToEndMs.length).toBeGreaterThan(0);
    expect(endToEndMs.at(-1)).toBeLessThan(1000);
    expect(cell.reasons).toContainEqual(expect.stringMatching(/^not smooth: text in time \([0-9.]+ %/));
  });

  test.each<[string, BrokenFramework, 'deletionLatencyMs' | 'formatLatencyMs']>([
    ['passes deletions on late', server.holdsDeletions, 'deletionLatencyMs'],
    ['shows others’ formats late', client.holdsFormats, 'formatLatencyMs'],
  ])('that %s is valid, and shows by the markers that change', async (_defect, framework, late) => {
    const trial = {
      measure: '8s',
      sigilPeriod: '600ms',
      changeSigils: true,
      settle: '6s',
      edits: WORDS,
      formatOdds: { ...NO_FORMATS, inline: 0.01 },
    };
    const { codes, cell } = await measureBroken(framework, trial);
    for (const lost of ['diverged', 'lost-edits', 'undone-formats', 'unaccounted-text'])
      expect(codes).not.toContain(lost);
    expect(cell[late].p50).toBeGreaterThan(3000);
    expect(cell.endToEndLatencyMs.p50).toBeLessThan(1000);
  });

  test('that mixes words typed at once shows by the sigils that it breaks', async () => {
    const typing = { edits: AT_THE_END, formatOdds: NO_FORMATS, send: '300ms' };
    const mixed = await measureBroken(interleaves, typing);
    const whole = await measureBroken(honest, typing);
    // An honest one may break a sigil, too: where others type right behind a part of it.
    // Odds, not shares: of eight sigils there may be too few left to break for twice the share.
    const odds = ({ sigilsBrokenPercent: broken }: CellSummary) => broken! / (100 - broken!);
    expect(odds(mixed.cell)).toBeGreaterThan(2 * odds(whole.cell));
  });
});
