/** The figures of typing and of the sigils: how much was typed, and how soon it was seen. Browser-safe. */
import {
  MAX_MEDIAN_END_TO_END_LATENCY_MS,
  MAX_MEDIAN_LOCAL_LATENCY_MS,
  MIN_IN_TIME_PERCENT,
  MIN_SIGILS_ARRIVED_PERCENT,
  MIN_THROUGHPUT_PERCENT,
  MIN_WORST_USER_THROUGHPUT_PERCENT,
  P95_FACTOR,
  PROMPT_RESPONSE_MS,
  SOON_SEEN_MS,
} from './criterion.ts';
import { type Bound, chart, type Figure, type FigureName, PLAIN, type Place, type SampleName } from './figure.ts';
import { KEY_FIGURES } from './key-figures.ts';

interface LatencyTraits {
  name: SampleName & ('localLatencyMs' | 'responseTimeMs' | 'endToEndLatencyMs');
  label: string;
  short: string;
  what: string;
  /** Of the median, in ms. */
  bound?: number;
  places?: readonly Place[];
  /** The column that counts the sigils among its samples, where one sigil has several. */
  events?: string;
  /** How its charts' ids begin; without one it has no charts. */
  chart?: string;
  /** Takes its place where a bound is held against it, and it has too few samples. */
  standIn?: 'keyLatencyMs';
}

/** Median, 95th and 99th percentile, and of how many samples. */
function latency(traits: LatencyTraits): Figure[] {
  const { name, label, short, what, bound, places = [], events, chart: id, standIn } = traits;
  const percentile = (part: 'p50' | 'p95' | 'p99', p: number, word: string): Figure => ({
    ...PLAIN,
    name: `${name}.${part}`,
    label: `${label}, ${word}`,
    short: [`${short} ms`, part],
    unit: 'ms',
    what,
    scale: 'log',
    source: { pooled: 'quantile', samples: name, p, ...(events !== undefined && { events }) },
  });
  const atMost = (factor: number): Bound | null =>
    bound === undefined ? null : { value: factor * bound, kind: 'at most', from: 'the paper' };
  return [
    {
      ...percentile('p50', 0.5, 'median'),
      ...(standIn && { standIn: `${standIn}.p50` as const }),
      bound: atMost(1),
      places,
      chart: id === undefined ? null : chart(`${id}-median`),
    },
    {
      ...percentile('p95', 0.95, '95th percentile'),
      ...(standIn && { standIn: `${standIn}.p95` as const }),
      bound: atMost(P95_FACTOR),
      places,
      chart: id === undefined ? null : chart(`${id}-p95`),
    },
    percentile('p99', 0.99, '99th percentile'),
    {
      ...PLAIN,
      name: `${name}.samples`,
      label: `${label}, samples`,
      short: [short, 'samples'],
      unit: 'samples',
      what: 'sigils that were seen; on others’ screens, one for each',
      better: 'higher',
      source: { pooled: 'count', samples: name },
      places: places.filter((place) => place === 'series' || place === 'sql'),
    },
  ];
}

/** A share that stands for a 95th percentile: what never showed is later than any bound. */
function inTime({
  part,
  whole,
  events,
  ...figure
}: Pick<Figure, 'name' | 'label' | 'short' | 'what' | 'standIn'> & {
  part: string;
  whole: string;
  events: string;
}): Figure {
  const none = 'no record of which were not typed';
  return {
    ...PLAIN,
    ...figure,
    unit: '%',
    better: 'higher',
    source: { pooled: 'share', part, whole, none, quantile: { p: 0.95, events } },
    smoothBound: { value: MIN_IN_TIME_PERCENT, kind: 'at least', from: 'this project' },
    places: ['report'],
  };
}

function filtered(part: string, label: string, column: string): Figure {
  return {
    ...PLAIN,
    name: `sigilsFiltered.${part}` as FigureName,
    label: `receipts filtered, ${label}`,
    short: ['filtered', label],
    unit: 'receipts',
    what: 'that the rule removed, warm-up included',
    source: { pooled: 'sum', column },
  };
}

export const TYPING_FIGURES: readonly Figure[] = [
  {
    ...PLAIN,
    name: 'throughputPercent',
    label: 'throughput',
    short: ['through-', 'put %'],
    unit: '%',
    what: 'edits typed, of those that fell due',
    better: 'higher',
    source: {
      pooled: 'share',
      part: 'performed',
      whole: 'offered',
      none: 'no edit fell due in the measured window',
    },
    bound: { value: MIN_THROUGHPUT_PERCENT, kind: 'at least', from: 'the paper' },
    places: ['series', 'terminal', 'report', 'compare', 'sql'],
    chart: chart('throughput', { axis: 'nearly whole' }),
  },
  {
    ...PLAIN,
    name: 'worstUserThroughputPercent',
    label: 'worst user’s throughput',
    short: ['worst', 'user %'],
    unit: '%',
    what: 'the least throughput of a user in any trial',
    better: 'higher',
    source: { pooled: 'least', column: 'worstUserThroughputPercent' },
    smoothBound: { value: MIN_WORST_USER_THROUGHPUT_PERCENT, kind: 'at least', from: 'this project' },
    places: ['report'],
  },
  {
    ...PLAIN,
    name: 'sigilsArrivedPercent',
    label: 'sigils arrived',
    short: ['sigils', 'arr. %'],
    unit: '%',
    what: 'shown on the others’ screens, of those that no concurrent edit broke',
    better: 'higher',
    source: {
      pooled: 'share',
      part: 'arrived',
      whole: 'expected',
      none: 'no unbroken sigil was sent in the measured window to another user',
    },
    bound: { value: MIN_SIGILS_ARRIVED_PERCENT, kind: 'at least', from: 'this project' },
    places: ['terminal', 'report', 'sql'],
  },
  {
    ...PLAIN,
    name: 'sigilsBrokenPercent',
    label: 'sigils broken',
    short: ['sigils', 'broken %'],
    unit: '%',
    what: 'broken by concurrent edits before they showed, of those typed; they are left out of the arrived ones',
    source: { pooled: 'share', part: 'broken', whole: 'sent', none: 'no sigil was sent in the measured window' },
    places: ['report'],
  },
  {
    ...PLAIN,
    name: 'sigilsSeen',
    label: 'sigils seen by others',
    short: ['sigils', 'seen'],
    unit: 'sigils',
    what: 'shown on at least one other screen: the independent events of end-to-end latency',
    better: 'higher',
    source: { pooled: 'sum', column: 'sigilsSeen' },
  },
  inTime({
    name: 'responseInTimePercent',
    label: 'response in time',
    short: ['response', 'in time %'],
    what: `sigils on the own screen within ${PROMPT_RESPONSE_MS} ms of when they were due, of all that fell due, typed or not, and were not broken`,
    part: 'prompt',
    whole: 'offeredSigils',
    events: 'offeredSigils',
    standIn: 'keysInTimePercent',
  }),
  inTime({
    name: 'seenInTimePercent',
    label: 'seen in time',
    short: ['seen', 'in time %'],
    what: `sigils on others’ screens within ${SOON_SEEN_MS} ms, of all that fell due, typed or not, and were not broken`,
    part: 'soon',
    whole: 'expectedSoon',
    events: 'sigilsForOthers',
  }),
  ...latency({
    name: 'localLatencyMs',
    label: 'local latency',
    short: 'local',
    what: 'from a key to its showing on the own screen',
    bound: MAX_MEDIAN_LOCAL_LATENCY_MS,
    // A few probes type few sigils, but many keys.
    standIn: 'keyLatencyMs',
    places: ['series', 'terminal', 'report', 'compare', 'sql'],
    chart: 'local',
  }),
  ...latency({
    name: 'responseTimeMs',
    label: 'response time',
    short: 'response',
    what: 'from when a key was due to its showing on the own screen',
  }),
  ...latency({
    name: 'endToEndLatencyMs',
    label: 'end-to-end latency',
    short: 'end-to-end',
    what: 'from a key to its showing on another’s screen',
    bound: MAX_MEDIAN_END_TO_END_LATENCY_MS,
    events: 'sigilsSeen',
    places: ['series', 'terminal', 'report', 'compare', 'sql'],
    chart: 'end-to-end',
  }),
  {
    ...PLAIN,
    name: 'keysInTimePercent',
    label: 'keys in time',
    short: ['keys', 'in time %'],
    unit: '%',
    what: `edits on the own screen within ${PROMPT_RESPONSE_MS} ms of when they were due, of all that fell due, typed or not: so many at least, as it is not known which of those sent late also took long to show`,
    better: 'higher',
    isAtLeast: true,
    source: {
      pooled: 'share',
      part: 'promptKeys',
      whole: 'keysDue',
      none: 'no record of how long keys took to show',
      quantile: { p: 0.95, events: 'keysDue' },
    },
    places: ['report'],
  },
  ...KEY_FIGURES,
  ...([0.5, 0.95] as const).map(
    (p): Figure => ({
      ...PLAIN,
      name: p === 0.5 ? 'scheduleLagMs.p50' : 'scheduleLagMs.p95',
      label: `schedule lag, ${p === 0.5 ? 'median' : '95th percentile'}`,
      short: ['lag ms', p === 0.5 ? 'p50' : 'p95'],
      unit: 'ms',
      what: 'from when an edit was due to when it was sent',
      scale: 'log',
      source: { pooled: 'quantile', samples: 'scheduleLagMs', p },
    }),
  ),
  {
    ...PLAIN,
    name: 'insertedCharactersPerSecond',
    label: 'characters put in',
    short: ['typed', 'char./s'],
    unit: 'characters/s',
    what: 'keys and pastes of a user who types; what frameworks and user counts must have alike to be compared',
    better: 'higher',
    source: { pooled: 'mean', column: 'insertedCharactersPerSecond' },
  },
  {
    ...PLAIN,
    name: 'largestEditCharacters',
    label: 'largest edit',
    short: ['largest', 'edit char.'],
    unit: 'characters',
    what: 'the most that one edit of the measured window put in or took out',
    source: { pooled: 'greatest', column: 'largestEditCharacters' },
  },
  filtered('neverSent', 'never sent', 'neverSent'),
  filtered('beforeSent', 'before sent', 'beforeSent'),
  filtered('brokenWhileTyped', 'broken while typed', 'brokenWhileTyped'),
  filtered('brokenLater', 'broken later', 'brokenLater'),
  filtered('repeated', 'repeated', 'repeated'),
  filtered('outOfOrder', 'out of order', 'outOfOrder'),
  {
    ...PLAIN,
    name: 'clockErrorMs',
    label: 'error bound of the clocks',
    short: ['clocks', '± ms'],
    unit: 'ms',
    what: 'what the clocks may add to an end-to-end latency, for the worst pair of users',
    source: { pooled: 'greatest', column: 'clockErrorMs' },
  },
];
