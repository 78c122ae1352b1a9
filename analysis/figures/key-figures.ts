/** How long every own key took to show, as the browser times it. Browser-safe. */
import { type Figure, PLAIN } from './figure.ts';

const KEY = 'from every own key to the next frame, by the browser; 16 stands for what took less';

function keyLatency(part: 'p50' | 'p95' | 'p98', p: number, word: string): Figure {
  return {
    ...PLAIN,
    name: `keyLatencyMs.${part}`,
    label: `key latency, ${word}`,
    short: ['key ms', part],
    unit: 'ms',
    what: KEY,
    scale: 'log',
    source: { pooled: 'quantile', samples: 'keyLatencyMs', p },
  };
}

export const KEY_FIGURES: readonly Figure[] = [
  keyLatency('p50', 0.5, 'median'),
  { ...keyLatency('p95', 0.95, '95th percentile'), places: ['report', 'sql'] },
  keyLatency('p98', 0.98, '98th percentile'),
  {
    ...PLAIN,
    name: 'keyLatencyMs.samples',
    label: 'key latency, samples',
    short: ['key', 'samples'],
    unit: 'samples',
    what: 'keys that the page got',
    better: 'higher',
    source: { pooled: 'count', samples: 'keyLatencyMs' },
  },
  {
    ...PLAIN,
    name: 'interactionToNextPaintMs.p98',
    label: 'interaction to next paint, 98th percentile',
    short: ['INP ms', 'p98'],
    unit: 'ms',
    what: 'every own key’s slowest event (down, input, up); 16 stands for what took less',
    scale: 'log',
    source: { pooled: 'quantile', samples: 'interactionToNextPaintMs', p: 0.98 },
  },
];
