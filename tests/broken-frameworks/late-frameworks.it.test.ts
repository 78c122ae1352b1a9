/** Real trials without Chrome: whatever is late with a framework shows in the figures. */
import { describe, expect, test, vi } from 'vitest';
import type { CellSummary } from '../../results/formats/summary.ts';
import * as client from './at-the-client.ts';
import * as server from './at-the-server.ts';
import { type BrokenFramework, honest } from './broken-framework.ts';
import { interleaves } from './interleaving.ts';
import { AT_THE_END, LATEST, measureBroken, NO_FORMATS, WORDS } from './run-broken.ts';

// Many at once: they wait more than they work, and none of it is about time.
vi.setConfig({ maxConcurrency: 5 });
describe.concurrent('a framework', () => {
  test('that holds what its users do until they are done shows by its latency', async () => {
    const { endToEndMs } = await measureBroken(client.holdsSends);
    expect(endToEndMs.at(-1)).toBeGreaterThan(1000);
  });

  test('that lets one user wait for what the others type shows by the same', async () => {
    // The wait of a marker depends on when it falls into the held batch, so a few may all be prompt.
    const { endToEndMs } = await measureBroken(client.letsOneWait, { measure: '8s', settle: LATEST });
    expect(endToEndMs.at(-1)).toBeGreaterThan(1000);
  });

  test('that delays everything loses nothing, and is not fully functional', async () => {
    // Nothing is taken back, so users hold one document only once all has arrived.
    const typing = { edits: AT_THE_END, formatOdds: NO_FORMATS };
    const { codes, cell } = await measureBroken(server.isLate, { ...typing, settle: LATEST });
    for (const lost of ['diverged', 'lost-edits', 'unaccounted-text']) expect(codes).not.toContain(lost);
    expect(cell).toMatchObject({ fullyFunctional: false, sigilsArrivedPercent: 100 });
    expect(cell.endToEndLatencyMs.p50).toBeGreaterThan(3000);
  });

  test.each<[string, BrokenFramework, 'deletionLatencyMs' | 'formatLatencyMs']>([
    ['passes deletions on late', server.holdsDeletions, 'deletionLatencyMs'],
    ['shows others’ formats late', client.holdsFormats, 'formatLatencyMs'],
  ])('that %s is valid, and shows by the markers that change', async (_defect, framework, late) => {
    const trial = {
      measure: '8s',
      sigilPeriod: '600ms',
      changeSigils: true,
      settle: LATEST,
      edits: WORDS,
      formatOdds: { ...NO_FORMATS, inline: 0.01 },
    };
    const { codes, cell } = await measureBroken(framework, trial);
    for (const lost of ['diverged', 'lost-edits', 'undone-formats', 'unaccounted-text'])
      expect(codes).not.toContain(lost);
    expect(cell[late].p50).toBeGreaterThan(3000);
    expect(cell.endToEndLatencyMs.p50).toBeLessThan(server.PROMPT_MS);
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
