/** The questions that the site answers, each with the columns that answer it. */
import { DOCUMENT_SCENARIOS } from '../../results/formats/documents.ts';
import { figureNamed } from '../figures/catalogue.ts';
import { type FigureName, longUnit } from '../figures/figure.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { SiteColumn, SiteQuestion } from './site-data.ts';

const TYPING: readonly { id: string; title: string; range?: SiteQuestion['range']; figures: readonly FigureName[] }[] =
  [
    {
      id: 'others',
      title: 'How soon do others see what I type?',
      range: ['endToEndLatencyMs.p50', 'endToEndLatencyMs.p95'],
      figures: [
        'endToEndLatencyMs.p50',
        'endToEndLatencyMs.p95',
        'endToEndLessBatchMs.p50',
        'seenInTimePercent',
        'sigilsArrivedPercent',
      ],
    },
    {
      id: 'own',
      title: 'Does my own typing stay smooth?',
      range: ['localLatencyMs.p50', 'localLatencyMs.p95'],
      figures: [
        'localLatencyMs.p50',
        'localLatencyMs.p95',
        'keysInTimePercent',
        'worstUserLongTaskPercent',
        'throughputPercent',
      ],
    },
    {
      id: 'device',
      title: 'What does a user’s device pay?',
      figures: ['userCpuPercent', 'userMemoryMiB', 'userHeapMiB', 'userCpuMsPerRemoteEdit'],
    },
    {
      id: 'server',
      title: 'What does the server pay?',
      figures: ['serverCpuPercent', 'serverMemoryMiB', 'serverLoopDelayMs.p99', 'serverNetworkKiBps.sent'],
    },
    {
      id: 'bytes',
      title: 'How much is sent, and kept?',
      figures: [
        'userBytesPerEdit.sent',
        'userBytesPerEdit.received',
        'userDeflatedBytesPerEdit.received',
        'savedStateKiB',
        'documentCharacters',
      ],
    },
  ];

/** Of a user among those carried, or else of the next number. */
export const CARRIED_FIGURES: readonly FigureName[] = [
  'endToEndLatencyMs.p50',
  'endToEndLessBatchMs.p50',
  'userCpuPercent',
];

const DOCUMENTS: Readonly<Record<(typeof DOCUMENT_SCENARIOS)[number], string>> = {
  replay: 'How fast is an edit applied?',
  state: 'How large is a saved document, and how fast does it load?',
  join: 'How long does a newcomer wait?',
  rest: 'What does keeping it in a store cost?',
};

export const QUESTIONS: readonly SiteQuestion[] = [
  ...TYPING.map(
    ({ id, title, range = null, figures }): SiteQuestion => ({
      ...{ id, tab: 'typing', title, kind: 'typing', who: 'framework', range },
      columns: figures.map(columnOf),
    }),
  ),
  {
    ...{
      id: 'carried',
      tab: 'typing',
      title: 'How many users does it carry?',
      kind: 'carried',
      who: 'framework',
      range: null,
    },
    columns: [
      column(
        'carried',
        'carried',
        'users',
        'The most users with which it was fully functional; ≥: no larger number was tried that missed',
        'higher',
      ),
      column(
        'next',
        'not with',
        'users',
        'The next user count that was tried, with which a bound was missed; ?: the trials do not settle it',
        'higher',
      ),
      ...CARRIED_FIGURES.map(columnOf),
    ],
  },
  {
    ...{
      id: 'faults',
      tab: 'faults',
      title: 'What happens when something breaks?',
      kind: 'faults',
      who: 'framework',
      range: null,
    },
    columns: FAULT_FIGURES.map(({ name, label, short, what }) =>
      column(name, label, / (\S+)$/.exec(short.join(' '))?.[1] ?? '', what),
    ),
  },
  ...DOCUMENT_SCENARIOS.map((kind): SiteQuestion => {
    const { parameters, inTable } = SCENARIOS[kind];
    return {
      ...{ id: kind, tab: 'documents', title: DOCUMENTS[kind], kind, who: parameters[0]!.name, range: null },
      columns: inTable.map(({ name, label, unit, what, scale, better }) => {
        return { name, label, unit, what, scale, better, bound: null };
      }),
    };
  }),
];

function columnOf(name: FigureName): SiteColumn {
  const figure = figureNamed(name);
  const { label, what, scale, better, bound } = figure;
  return { name, label, unit: longUnit(figure), what, scale, better, bound };
}

function column(
  name: string,
  label: string,
  unit: string,
  what: string,
  better: SiteColumn['better'] = 'lower',
): SiteColumn {
  return { name, label, unit, what, scale: 'linear', better, bound: null };
}
