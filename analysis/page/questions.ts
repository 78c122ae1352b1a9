/** The questions that a page of results answers, each with the columns that answer it. */
import { DOCUMENT_SCENARIOS, type DocumentScenario } from '../../results/formats/documents.ts';
import { FIGURES, figureNamed, figuresIn } from '../figures/catalogue.ts';
import { type CellFigure, type Figure, type FigureName, longUnit } from '../figures/figure.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { Column, Question, Tab } from './page-data.ts';

interface TypingQuestion {
  id: string;
  title: string;
  range?: Question['range'];
  figures: readonly FigureName[];
}

const TYPING: readonly TypingQuestion[] = [
  {
    id: 'others',
    title: 'How soon do others see what I type?',
    range: { chart: 'key-to-screens', median: 'endToEndLatencyMs.p50', p95: 'endToEndLatencyMs.p95' },
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
    range: { chart: 'key-to-own-screen', median: 'localLatencyMs.p50', p95: 'localLatencyMs.p95' },
    figures: [
      'localLatencyMs.p50',
      'localLatencyMs.p95',
      'keysInTimePercent',
      'worstUserLongTaskPercent',
      'longTaskPercent',
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
    figures: [
      'serverCpuPercent',
      'serverMemoryMiB',
      'serverLoopDelayMs.p99',
      'serverNetworkKiBps.sent',
      'machineCpuPercent',
    ],
  },
  {
    id: 'bytes',
    title: 'How much is sent, and kept?',
    figures: [
      'userBytesPerEdit.sent',
      'userBytesPerEdit.received',
      'userDeflatedBytesPerEdit.received',
      'savedStateKiB',
      'savedStateRatio',
      'documentCharacters',
    ],
  },
];

/** Of runs that have such. */
const BACKING: readonly TypingQuestion[] = [
  {
    id: 'store',
    title: 'What does it cost to keep documents?',
    figures: figuresIn('store').map(({ name }) => name),
  },
  {
    id: 'servers',
    title: 'What do several servers cost?',
    range: { chart: 'between-servers', median: 'endToEndOtherServerMs.p50', p95: 'endToEndOtherServerMs.p95' },
    figures: figuresIn('servers').map(({ name }) => name),
  },
];

/** Of a user among those carried, or else of the next number. */
export const CARRIED_FIGURES: readonly FigureName[] = [
  'endToEndLatencyMs.p50',
  'endToEndLessBatchMs.p50',
  'userCpuPercent',
];

/** A figure that marks others: latencies of a busy machine are partly its own. */
export const MARKING: FigureName = 'machineCpuPercent';

/** `tab`: where it is asked, if not among single documents. */
const DOCUMENTS: Readonly<Record<DocumentScenario, { title: string; tab?: Tab }>> = {
  replay: { title: 'How fast is an edit applied?' },
  state: { title: 'How large is a saved document, and how fast does it load?' },
  join: { title: 'How long does a newcomer wait?' },
  rest: { title: 'What does keeping it in a store cost?' },
  storm: { title: 'How soon are many users back at once?' },
  kept: { title: 'What does a crash lose?', tab: 'backing' },
  memory: { title: 'What do open documents take of a server?' },
};

function ofTyping({ id, title, range = null }: Omit<TypingQuestion, 'figures'>, columns: Column[]): Question {
  return { id, tab: 'typing', title, kind: 'typing', who: 'framework', range, columns };
}

export const QUESTIONS: readonly Question[] = [
  ...TYPING.map((question) => ofTyping(question, question.figures.map(figureNamed).map(columnOf))),
  {
    ...ofTyping({ id: 'carried', title: 'How many users does it carry?' }, [
      column({
        name: 'carried',
        label: 'carried',
        unit: 'users',
        what: 'The most users with which it was fully functional; ≥: no larger number was tried that missed',
        better: 'higher',
      }),
      column({
        name: 'next',
        label: 'not with',
        unit: 'users',
        what: 'The next user count that was tried, with which a bound was missed; ?: the trials do not settle it',
        better: 'higher',
      }),
      ...CARRIED_FIGURES.map(figureNamed).map(columnOf),
    ]),
    kind: 'carried',
  },
  {
    ...ofTyping(
      { id: 'faults', title: 'What happens when something breaks?' },
      FAULT_FIGURES.map(({ name, label, unit, what }) => column({ name, label, unit, what })),
    ),
    tab: 'faults',
    kind: 'faults',
  },
  ...BACKING.map((question): Question => {
    const figures = question.figures.map(figureNamed);
    const asksOf = figures.filter(({ isSeldom }) => isSeldom).map(({ name }) => name);
    return { ...ofTyping(question, figures.map(columnOf)), tab: 'backing', asksOf };
  }),
  ...DOCUMENT_SCENARIOS.map((kind): Question => {
    const { parameters, inTable } = SCENARIOS[kind];
    const { title, tab = 'documents' } = DOCUMENTS[kind];
    const columns = inTable.map(columnOf);
    const question: Question = { id: kind, tab, title, kind, who: parameters[0]!.name, range: null, columns };
    // That tab is there only if a run answers.
    return tab === 'backing' ? { ...question, asksOf: columns.map(({ name }) => name) } : question;
  }),
];

const ASKED = new Set(QUESTIONS.flatMap(({ columns }) => columns.map(({ name }) => name)));

/** Of a report: all else that it shows. */
export const REST: Question = ofTyping(
  { id: 'rest-of-figures', title: 'What else was measured?' },
  [...new Set([...figuresIn('report'), ...FIGURES.filter(({ chart }) => chart !== null)])]
    .filter(({ name }) => !ASKED.has(name))
    .map(columnOf),
);

function columnOf(figure: CellFigure & Partial<Pick<Figure, 'bound'>>): Column {
  const { name, label, what, scale, better, bound = null } = figure;
  return { name, label, unit: longUnit(figure), what, scale, better, bound };
}

function column(given: Pick<Column, 'name' | 'label' | 'unit' | 'what'> & Partial<Column>): Column {
  return { scale: 'linear', better: 'lower', bound: null, ...given };
}
