/** The figures of what stands beside a trial's users: agents, readers, and pages that are slowed down. Browser-safe. */
import { type Figure, figure, percentile, type Samples } from './figure.ts';

/** Only trials with such have them, so tables without show no column. */
const OPTIONAL = { column: 'optional', places: ['terminal', 'report'] } as const;

const PAGES = { slow: 'slowed-down pages', other: 'other pages' } as const;
const SEEN_AT = { slow: 'sigilsSeenAtSlowPages', other: 'sigilsSeenAtOtherPages' } as const;
/** The terminal has no room for both. */
const PAGE_PLACES = { slow: ['terminal', 'report'], other: ['report'] } as const;

function ofPages(kind: keyof typeof PAGES): Figure[] {
  const local: Samples = {
    samples: `${kind}PagesLocalLatencyMs`,
    label: `local latency, ${PAGES[kind]}`,
    short: `${kind} local`,
    what: `of those who type at ${PAGES[kind]}; only where some are slowed down`,
    measuredOn: 'own sigils',
  };
  const endToEnd: Samples = {
    samples: `${kind}PagesEndToEndMs`,
    label: `end-to-end latency, ${PAGES[kind]}`,
    short: `${kind} e2e`,
    what: `on the screens of ${PAGES[kind]}, whoever typed; only where some are slowed down`,
    events: SEEN_AT[kind],
    measuredOn: 'anyone’s sigils',
  };
  return [local, endToEnd].flatMap((samples) =>
    (['p50', 'p95'] as const).map((part) => ({ ...percentile(part, samples), ...OPTIONAL, places: PAGE_PLACES[kind] })),
  );
}

/** Edits reach every reader. */
export const EDIT_RATE: Figure = figure('editsPerSecond', 'edits of all', ['all', 'edits/s'], {
  unit: 'edits/s',
  what: 'performed by users, crowd and agents together',
  better: 'higher',
});

export const COMPANY_FIGURES: readonly Figure[] = [
  ...ofPages('slow'),
  ...ofPages('other'),
  EDIT_RATE,
  figure('agentCharactersPerSecond', 'typed by agents', ['agents', 'char./s'], {
    ...OPTIONAL,
    unit: 'characters/s',
    what: 'put in by all agents together, what they replaced too',
    better: 'higher',
  }),
  figure('readerReceivedKiBps', 'received by a reader', ['reader', 'KiB/s'], {
    ...OPTIONAL,
    what: 'WebSocket payload that came to a reader’s socket, the mean of all',
  }),
  figure('readerMessagesPerSecond', 'messages to a reader', ['reader', 'messages/s'], {
    unit: 'messages/s',
    what: 'that came to a reader’s socket, the mean of all',
  }),
];
