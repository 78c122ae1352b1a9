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

test('a clock 30 s off that drifts by 100 ppm: the newest good measurement counts, a poor one does not', () => {
  const monitor = createLiveMonitor();
  // User 1's clock shows 30 s less and loses 1 ms in 10 s. Nothing is sent but for one sigil at 295,000, shown 80 ms later.
  const offsetMs = (ms: number) => 30_000 + ms * 100e-6;
  monitor.add(0, [{ type: 'clock', atMs: 1, offsetMs: 0, errorMs: 0.2 }]);
  for (let ms = 0; ms < 300_000; ms += 10_000) {
    monitor.add(1, [{ type: 'clock', atMs: ms - offsetMs(ms), offsetMs: offsetMs(ms), errorMs: 0.5 }]);
  }
  monitor.add(1, [{ type: 'clock', atMs: 294_000 - offsetMs(294_000), offsetMs: offsetMs(294_000) + 25, errorMs: 30 }]);
  monitor.add(0, [{ type: 'sigil-sent', sigil: '0000@', dueMs: 295_000, sentMs: 295_000 }]);
  monitor.add(1, [{ type: 'sigil-shown', sigil: '0000@', shownMs: 295_080 - offsetMs(295_080) }]);
  // Measured at 290,000; 5 s later it has drifted by another 0.5 ms.
  expect(Math.abs(monitor.figures(296_000).endToEndLatencyMs! - 80)).toBeLessThanOrEqual(0.51);
});
