import { expect, test } from 'vitest';
import { createLiveMonitor } from './live-figures.ts';

const typing = { type: 'typing' as const, skipped: 0, formats: 0, lagMs: [], driverLagMs: [] };

test('figures of the last 10 seconds, corrected by each user’s clock', () => {
  const monitor = createLiveMonitor();
  // User 1's clock is 1,000 ms behind the coordinator's.
  monitor.add(0, [{ type: 'clock', atMs: 0, offsetMs: 0, errorMs: 0.1 }]);
  monitor.add(1, [{ type: 'clock', atMs: 0, offsetMs: 1000, errorMs: 0.1 }]);
  monitor.add(0, [
    { ...typing, atMs: 5000, offered: 100, performed: 0 },
    { ...typing, atMs: 20_000, offered: 6, performed: 6 },
    { type: 'sigil-sent', sigil: '0000@', dueMs: 20_000, sentMs: 20_000 },
    { type: 'sigil-shown', sigil: '0000@', shownMs: 20_004 },
  ]);
  monitor.add(1, [
    { ...typing, atMs: 19_000, offered: 6, performed: 3 },
    { type: 'sigil-shown', sigil: '0000@', shownMs: 19_060 },
    { type: 'sigil-shown', sigil: '00zz@', shownMs: 19_060 },
  ]);
  // 9 of 12 edits; 4 ms on the own screen; 19,060 + 1,000 − 20,000 = 60 ms on the other's. What was never sent is no sample.
  expect(monitor.figures(21_000)).toEqual({ throughputPercent: 75, localLatencyMs: 4, endToEndLatencyMs: 60 });
  expect(monitor.figures(40_000)).toEqual({ throughputPercent: null, localLatencyMs: null, endToEndLatencyMs: null });
});
