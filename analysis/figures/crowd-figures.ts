/** Where not all users are live: latency among the probes, and from the crowd to them, and what the crowd took. Browser-safe. */
import { type Figure, mean, PLAIN } from './figure.ts';

const SENDERS = {
  endToEndAmongProbesMs: {
    label: 'end-to-end latency among probes',
    short: 'probes ms',
    what: 'of sigils that probes typed, on the other probes’ screens; only where there is a crowd',
    events: 'sigilsSeenAmongProbes',
  },
  endToEndFromCrowdMs: {
    label: 'end-to-end latency from the crowd',
    short: 'crowd ms',
    what: 'of sigils that the crowd typed, on the probes’ screens',
    events: 'sigilsSeenFromCrowd',
  },
} as const;

function latencyFrom(sender: keyof typeof SENDERS): Figure[] {
  const { label, short, what, events } = SENDERS[sender];
  const percentile = (part: 'p50' | 'p95', p: number, word: string): Figure => ({
    ...PLAIN,
    name: `${sender}.${part}`,
    label: `${label}, ${word}`,
    short: [short, part],
    unit: 'ms',
    what,
    scale: 'log',
    source: { pooled: 'quantile', samples: sender, p, events },
  });
  return [percentile('p50', 0.5, 'median'), percentile('p95', 0.95, '95th percentile')];
}

export const CROWD_FIGURES: readonly Figure[] = [
  ...latencyFrom('endToEndAmongProbesMs'),
  ...latencyFrom('endToEndFromCrowdMs'),
  {
    ...PLAIN,
    name: 'crowdLateMs',
    label: 'lateness of the crowd',
    short: ['crowd', 'late ms'],
    unit: 'ms',
    what: 'by how much a recorded crowd’s frames left late, 99th percentile of a trial; the worst trial’s',
    source: { pooled: 'greatest', column: 'crowdLateMs' },
  },
  {
    ...PLAIN,
    name: 'crowdCpuPercent',
    label: 'crowd CPU',
    short: ['crowd', 'CPU %'],
    unit: '%',
    unitOf: 'of a core',
    what: 'what plays the crowd, or types for it, all together',
    source: mean('crowdCpuPercent'),
    places: ['report'],
  },
  {
    ...PLAIN,
    name: 'crowdMemoryMiB',
    label: 'crowd memory',
    short: ['crowd', 'MiB'],
    unit: 'MiB',
    what: 'of what plays the crowd, or types for it, all together',
    source: mean('crowdMemoryMiB'),
  },
];
