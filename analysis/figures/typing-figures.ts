/** The figures of typing and of the sigils: how much was typed, and how soon it was seen. Browser-safe. */
import {
  CONCURRENT_EDIT_MS,
  MAX_MEDIAN_END_TO_END_LATENCY_MS,
  MAX_MEDIAN_LOCAL_LATENCY_MS,
  MIN_CHANGES_IN_TIME_PERCENT,
  MIN_IN_TIME_PERCENT,
  MIN_SIGILS_ARRIVED_PERCENT,
  MIN_THROUGHPUT_PERCENT,
  MIN_WORST_USER_THROUGHPUT_PERCENT,
  P95_FACTOR,
  PROMPT_RESPONSE_MS,
  SOON_SEEN_MS,
} from './criterion.ts';
import {
  chart,
  type Figure,
  type FigureName,
  figure,
  type MeasuredOn,
  type Place,
  percentile,
  type Samples,
  sampleCount,
} from './figure.ts';

interface Latency extends Samples {
  samples: 'localLatencyMs' | 'responseTimeMs' | 'endToEndLatencyMs';
  /** Of the median, in ms. */
  bound?: number;
  places?: readonly Place[];
  /** How its charts' ids begin; without one it has no charts. */
  chart?: string;
  /** Of the median. */
  regressionPercent?: number | null;
  /** Takes its place where a bound is held against it, and it has too few samples. */
  standIn?: 'keyLatencyMs';
}

/** Median, 95th and 99th percentile, and of how many samples. */
function latency({ bound, places = [], chart: id, regressionPercent, standIn, ...latency }: Latency): Figure[] {
  const ofSamples = { ...latency, short: `${latency.short} ms` };
  const bounded = (part: 'p50' | 'p95', factor: number): Figure => ({
    ...percentile(part, ofSamples),
    ...(standIn && { standIn: `${standIn}.${part}` as const }),
    bound: bound === undefined ? null : { value: factor * bound, kind: 'at most', from: 'the paper' },
    places,
    chart: id === undefined ? null : chart(`${id}-${part === 'p50' ? 'median' : part}`),
  });
  return [
    { ...bounded('p50', 1), regressionPercent },
    bounded('p95', P95_FACTOR),
    percentile('p99', ofSamples),
    {
      ...sampleCount(latency, latency.short, 'sigils that were seen; on others’ screens, one for each'),
      places: places.filter((place) => place === 'series' || place === 'sql'),
    },
  ];
}

/** A share that stands for a quantile, else the 95th percentile: what never showed is later than any bound. */
function inTime(
  name: FigureName,
  [label, short]: [string, Figure['short']],
  {
    what,
    part,
    whole,
    events,
    measuredOn,
    standIn,
    none = 'no record of which were not typed',
    percent = MIN_IN_TIME_PERCENT,
  }: Record<'what' | 'part' | 'whole' | 'events', string> &
    Pick<Figure, 'standIn'> & { measuredOn: MeasuredOn; none?: string; percent?: number },
): Figure {
  return figure(name, label, short, {
    ...{ what, standIn },
    better: 'higher',
    source: { pooled: 'share', part, whole, none, quantile: { p: percent / 100, events, measuredOn } },
    smoothBound: { value: percent, kind: 'at least', from: 'this project' },
    places: ['report'],
  });
}

/** Median and 95th percentile of the time until others see that a sigil was changed, and how many of them see it in time. */
function ofChanges(change: 'deletion' | 'format', done: string): Figure[] {
  const changes = `${change}s` as const;
  const ofSamples: Samples = {
    samples: `${change}LatencyMs`,
    label: `${change} latency`,
    short: `${change} ms`,
    what: `from ${done} an older sigil to the frame that shows it on another’s screen`,
    events: changes,
    measuredOn: 'changed sigils',
  };
  return [
    inTime(`${changes}InTimePercent`, [`${changes} in time`, [changes, 'in time %']], {
      what: `sigils’ ${changes} on others’ screens within ${SOON_SEEN_MS} ms, of those on screens that showed the sigil`,
      part: `${changes}Soon`,
      whole: `${changes}Expected`,
      events: changes,
      measuredOn: 'changed sigils',
      none: `no ${change} of a sigil in the measured window`,
      percent: MIN_CHANGES_IN_TIME_PERCENT,
    }),
    { ...percentile('p50', ofSamples), places: ['report', 'sql'] },
    { ...percentile('p95', ofSamples), places: ['report', 'sql'] },
    sampleCount(ofSamples, change, 'changed sigils on others’ screens'),
  ];
}

function filtered(column: string, label: string): Figure {
  return figure(`sigilsFiltered.${column}` as FigureName, `receipts filtered, ${label}`, ['filtered', label], {
    unit: 'receipts',
    what: 'that the rule removed, warm-up included',
    source: { pooled: 'sum', column },
  });
}

const KEY: Samples = {
  samples: 'keyLatencyMs',
  label: 'key latency',
  short: 'key ms',
  what: 'from every own key to the next frame, by the browser; 16 stands for what took less',
  measuredOn: 'keys',
};
const TEXT_AGE: Samples = {
  samples: 'textAgeMs',
  label: 'age of others’ text',
  short: 'text age ms',
  what: 'how far others’ text on the screen was behind what they had typed, in looks a second apart; in steps of 0.2 s',
  measuredOn: 'looks at text',
};
const LAG: Samples = {
  samples: 'scheduleLagMs',
  label: 'schedule lag',
  short: 'lag ms',
  what: 'from when an edit was due to when it was sent',
  measuredOn: 'edits',
};

export const TYPING_FIGURES: readonly Figure[] = [
  figure('throughputPercent', 'throughput', ['through-', 'put %'], {
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
    regressionPercent: null,
    chart: chart('throughput', { axis: 'nearly whole' }),
  }),
  figure('worstUserThroughputPercent', 'worst user’s throughput', ['worst', 'user %'], {
    what: 'the least throughput of a user in any trial',
    better: 'higher',
    source: { pooled: 'least', column: 'worstUserThroughputPercent' },
    smoothBound: { value: MIN_WORST_USER_THROUGHPUT_PERCENT, kind: 'at least', from: 'this project' },
    places: ['report'],
  }),
  figure('sigilsArrivedPercent', 'sigils arrived', ['sigils', 'arr. %'], {
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
  }),
  figure('sigilsBrokenPercent', 'sigils broken', ['sigils', 'broken %'], {
    what: `that an edit broke while they were typed, or in their author’s editor within ${CONCURRENT_EDIT_MS / 1000} s (if no editor tells, by the screens’ vote), of those typed; they are left out of the arrived ones`,
    source: { pooled: 'share', part: 'broken', whole: 'sent', none: 'no sigil was sent in the measured window' },
    places: ['report'],
  }),
  figure('sigilsSeen', 'sigils seen by others', ['sigils', 'seen'], {
    unit: 'sigils',
    what: 'shown on at least one other screen: the independent events of end-to-end latency',
    better: 'higher',
    source: { pooled: 'sum', column: 'sigilsSeen' },
  }),
  inTime('responseInTimePercent', ['response in time', ['response', 'in time %']], {
    what: `sigils on the own screen within ${PROMPT_RESPONSE_MS} ms of when they were due, of all that fell due, typed or not, and were not broken`,
    part: 'prompt',
    whole: 'offeredSigils',
    events: 'offeredSigils',
    measuredOn: 'own sigils',
    standIn: 'keysInTimePercent',
  }),
  inTime('seenInTimePercent', ['seen in time', ['seen', 'in time %']], {
    what: `sigils on others’ screens within ${SOON_SEEN_MS} ms, of all that fell due, typed or not, and were not broken`,
    part: 'soon',
    whole: 'expectedSoon',
    events: 'sigilsForOthers',
    measuredOn: 'anyone’s sigils',
  }),
  figure('textInTimePercent', 'text in time', ['text', 'in time %'], {
    what: `looks at others’ text, a second apart, at which it was at most ${SOON_SEEN_MS} ms behind what they had typed`,
    better: 'higher',
    source: { pooled: 'share', part: 'textsInTime', whole: 'textSamples', none: 'no record of whose text is where' },
    smoothBound: { value: MIN_IN_TIME_PERCENT, kind: 'at least', from: 'this project' },
    mayBeUnknown: true,
    places: ['report'],
  }),
  percentile('p50', TEXT_AGE),
  { ...percentile('p95', TEXT_AGE), places: ['report', 'sql'] },
  ...latency({
    samples: 'localLatencyMs',
    label: 'local latency',
    short: 'local',
    what: 'from a key to its showing on the own screen',
    measuredOn: 'own sigils',
    bound: MAX_MEDIAN_LOCAL_LATENCY_MS,
    // A few probes type few sigils, but many keys.
    standIn: 'keyLatencyMs',
    places: ['series', 'terminal', 'report', 'compare', 'sql'],
    chart: 'local',
    regressionPercent: null,
  }),
  ...latency({
    samples: 'responseTimeMs',
    label: 'response time',
    short: 'response',
    what: 'from when a key was due to its showing on the own screen',
    measuredOn: 'own sigils',
  }),
  ...latency({
    samples: 'endToEndLatencyMs',
    label: 'end-to-end latency',
    short: 'end-to-end',
    what: 'from a key to its showing on another’s screen',
    measuredOn: 'anyone’s sigils',
    bound: MAX_MEDIAN_END_TO_END_LATENCY_MS,
    events: 'sigilsSeen',
    places: ['series', 'terminal', 'report', 'compare', 'store', 'servers', 'sql'],
    chart: 'end-to-end',
    regressionPercent: 30,
  }),
  ...ofChanges('deletion', 'deleting'),
  ...ofChanges('format', 'formatting'),
  figure('keysInTimePercent', 'keys in time', ['keys', 'in time %'], {
    what: `edits on the own screen within ${PROMPT_RESPONSE_MS} ms of when they were due, of all that fell due, typed or not: so many at least, as it is not known which of those sent late also took long to show`,
    better: 'higher',
    isAtLeast: true,
    source: {
      pooled: 'share',
      part: 'promptKeys',
      whole: 'keysDue',
      none: 'no record of how long keys took to show',
      quantile: { p: 0.95, events: 'keysDue', measuredOn: 'keys' },
    },
    places: ['report'],
  }),
  percentile('p50', KEY),
  { ...percentile('p95', KEY), places: ['report', 'sql'] },
  percentile('p98', KEY),
  sampleCount(KEY, 'key', 'keys that the page got'),
  percentile('p98', {
    samples: 'interactionToNextPaintMs',
    label: 'interaction to next paint',
    short: 'INP ms',
    what: 'every own key’s slowest event (down, input, up); 16 stands for what took less',
    measuredOn: 'keys',
  }),
  percentile('p50', LAG),
  percentile('p95', LAG),
  figure('insertedCharactersPerSecond', 'characters put in', ['typed', 'char./s'], {
    unit: 'characters/s',
    what: 'keys and pastes of a user who types; what frameworks and user counts must have alike to be compared',
    better: 'higher',
  }),
  figure('largestEditCharacters', 'largest edit', ['largest', 'edit char.'], {
    unit: 'characters',
    what: 'the most that one edit of the measured window put in or took out',
    source: { pooled: 'greatest', column: 'largestEditCharacters' },
  }),
  filtered('neverSent', 'never sent'),
  filtered('beforeSent', 'before sent'),
  filtered('brokenWhileTyped', 'broken while typed'),
  filtered('brokenLater', 'broken later'),
  filtered('repeated', 'repeated'),
  filtered('outOfOrder', 'out of order'),
  figure('clockErrorMs', 'error bound of the clocks', ['clocks', '± ms'], {
    what: 'what the clocks may add to an end-to-end latency, for the worst pair of users',
    source: { pooled: 'greatest', column: 'clockErrorMs' },
  }),
];
