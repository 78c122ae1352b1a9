import { expect, test } from 'vitest';
import { makeSigil } from '../../editors/base/sigils.ts';
import { nowMs } from '../../infra/clock.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { NOT_VALID, PLANNED as planned } from '../../tests/runs.ts';
import { keepRunStatus } from './run-status-keeper.ts';

const folder = folderOfEachTest();
const next = { ...planned, trial: 2 };

test('trials that an earlier command finished are not to come', () => {
  const status = keepRunStatus({ experiment: 'smoke', directory: 'out', plan: [planned, next] });
  status.onKept(planned, { ...NOT_VALID, reasons: [{ code: 'user-lost', message: 'user 1 is lost' }] });
  status.onTrial(next, 1);
  expect(status.now().trials).toMatchObject([
    { trial: 1, verdict: 'invalid', reasons: ['user 1 is lost'] },
    { trial: 2, verdict: null },
  ]);
  // A search has no plan beforehand.
  const search = keepRunStatus({ experiment: 'max', directory: 'out', plan: [] });
  search.onKept(planned, NOT_VALID);
  search.onTrial(next, 1);
  expect(search.now().trials.map(({ verdict }) => verdict)).toEqual(['invalid', null]);
});

test('a trial that is run again has figures of its own', () => {
  const status = keepRunStatus({ experiment: 'smoke', directory: 'out', plan: [planned] });
  const attempt = (shownAfterMs: number) => {
    status.onTrial(planned, 0);
    status.onPhase('measure', nowMs() + 60_000);
    const sentMs = nowMs();
    const sigil = makeSigil(0, 1);
    status.onRecords(0, [
      { type: 'sigil-sent', sigil, dueMs: sentMs, sentMs },
      { type: 'sigil-shown', sigil, shownMs: sentMs + shownAfterMs },
    ]);
    const { current, latest } = status.now();
    status.onPhase('settle', null);
    return [current!.figures.localLatencyMs, latest!.series.length];
  };
  expect(attempt(4)).toEqual([4, 1]);
  expect(attempt(7)).toEqual([7, 1]);
});

test('throughput is the probes’: a played crowd hands in at the end what it was to type', () => {
  const status = keepRunStatus({ experiment: 'smoke', directory: 'out', plan: [planned] });
  status.onTrial({ ...planned, users: 100, probes: 2 }, 0);
  status.onPhase('measure', nowMs() + 60_000);
  const typing = { type: 'typing', atMs: nowMs(), skipped: 3, sigilsSkipped: 0, formats: 0 } as const;
  const typed = (performed: number) => ({ ...typing, offered: 6, performed, lagMs: [], driverLagMs: [] });
  for (const user of [0, 1]) status.onRecords(user, [typed(3)]);
  for (let user = 2; user < 100; user++) status.onRecords(user, [typed(6)]);
  const { current, latest } = status.now();
  expect(current!.figures.throughputPercent).toBe(50);
  expect(latest!.series[0]!.figures).toMatchObject({ throughputPercent: 50 });
});

test('a report is told of once the run has ended, and only if there is one', async () => {
  const ended = () => {
    const status = keepRunStatus({ experiment: 'smoke', directory: folder.path, plan: [planned] });
    const before = status.now().reportPath;
    status.onEnd();
    return [before, status.now().reportPath];
  };
  // Of a run that was interrupted in its first trial, or of one against another version, which has two.
  expect(ended()).toEqual([null, null]);
  await folder.put('report.html');
  expect(ended()).toEqual([null, folder.in('report.html')]);
});
