/** Sigils that their users delete or format, and how soon others see that. */
import { expect } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { test } from '../test-data/at-once.ts';
import { at, sent, shown } from '../test-data/hand-made-trial.ts';
import { figuresOf, rowsOf, user, userOff } from '../test-data/trial-folder.ts';

type Change = 'deleted' | 'formatted';
const changed = (sigil: string, change: Change, ms: number): RecordLine => ({
  type: 'sigil-changed',
  sigil,
  change,
  dueMs: at(ms - 3),
  sentMs: at(ms),
});
const changeShown = (sigil: string, change: Change, ms: number): RecordLine => ({
  type: 'sigil-change-shown',
  sigil,
  change,
  shownMs: at(ms),
});

test('golden: three users, one of them with a clock that is off', async () => {
  // User 1's clock + 100 is the coordinator's: it sees the deletion at 12,950 = 13,050, and the format at 16,150.
  // User 2 sees the deletion at 15,100, which is late, and the format never.
  const { columns, samples } = await figuresOf([
    user(
      ...[
        sent('00@00', 8000),
        sent('00@10', 8500),
        changed('00@00', 'deleted', 13_000),
        changed('00@10', 'formatted', 16_000),
      ],
      ...[changeShown('00@00', 'deleted', 13_001), changeShown('00@10', 'formatted', 16_001)],
    ),
    userOff(
      100,
      shown('00@00', 8100),
      shown('00@10', 8600),
      changeShown('00@00', 'deleted', 12_950),
      changeShown('00@10', 'formatted', 16_050),
    ),
    user(shown('00@00', 8100), shown('00@10', 8600), changeShown('00@00', 'deleted', 15_100)),
  ]);
  expect([...samples.deletionLatencyMs!]).toEqual([50, 2100]);
  expect([...samples.formatLatencyMs!]).toEqual([150]);
  expect(columns).toMatchObject({ deletions: 1, deletionsExpected: 2, deletionsSoon: 1 });
  expect(columns).toMatchObject({ formats: 1, formatsExpected: 2, formatsSoon: 1 });
});

const CHANGED = [sent('00@00', 8000), changed('00@00', 'formatted', 13_000)];
test.each<[string, RecordLine[], RecordLine[], object[]]>([
  ['is not expected on a screen that never showed the sigil', CHANGED, [], []],
  [
    'is not expected where others took the sigil before',
    CHANGED,
    [shown('00@00', 8100), changeShown('00@00', 'deleted', 12_900)],
    [],
  ],
  [
    'is that of its user, not one that others made before',
    CHANGED,
    [shown('00@00', 8100), changeShown('00@00', 'formatted', 12_900), changeShown('00@00', 'formatted', 13_300)],
    [{ latencyMs: 300 }],
  ],
  [
    'never showed if only something else became of the sigil',
    CHANGED,
    [shown('00@00', 8100), changeShown('00@00', 'deleted', 13_100)],
    [{ latencyMs: null }],
  ],
  [
    'counts only in the measured window',
    [sent('00@00', 2000), changed('00@00', 'formatted', 9000)],
    [shown('00@00', 2100), changeShown('00@00', 'formatted', 10_100)],
    [],
  ],
])('a change %s', async (_rule, sender, receiver, rows) => {
  expect(await rowsOf([user(...sender), user(...receiver)], 'SELECT latencyMs FROM sigil_changes')).toEqual(rows);
});
