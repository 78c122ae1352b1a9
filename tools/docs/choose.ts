/** The table that answers which library to take: one row a question, made of kept runs and of the capabilities' outcomes. */
import { NOTHING } from '../../analysis/figures/figure-text.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { CAPABILITIES, LIBRARIES, programPath } from '../../capabilities/capabilities.ts';
import { readOutcomes } from '../../capabilities/outcomes.ts';
import type { Mark } from '../../capabilities/programs/outcome.ts';
import { type Place, readPlaces } from './places.ts';
import { resultOf } from './tied-figures.ts';

/** A library, and the names of its parts in runs; without a name, there is nothing to measure. */
interface Column {
  /** Among the capabilities. */
  library: string;
  /** The framework over the project's relay. */
  relay?: string;
  /** The framework with the library's own server. */
  server?: string;
  /** The framework of the paper's grid. */
  grid: string;
  /** The engine whose saved document is opened. */
  engine: string;
}

const COLUMNS: readonly Column[] = [
  { library: 'yjs', relay: 'yjs-relay', server: 'yjs', grid: 'yjs', engine: 'yjs' },
  { library: 'automerge', relay: 'automerge', server: 'automerge-repo', grid: 'automerge', engine: 'automerge' },
  { library: 'loro', relay: 'loro', grid: 'loro', engine: 'loro' },
  { library: 'sharedb', server: 'sharedb', grid: 'sharedb', engine: 'rich-text' },
];

/** Runs of a cell: the words of a place, and the figures in the order of the cell's text. */
type Measured = readonly [words: string, ...figures: string[]];

interface Row {
  question: string;
  /** The section with all of it. */
  link: string;
  /** Null: there is nothing to measure. */
  of: (column: Column) => Measured | null;
  unit?: string;
  /** Instead of the figures. */
  say?: (words: string, places: readonly Place[]) => string;
}

const LATENCIES = ['endToEndLatencyMs.p50', 'endToEndLatencyMs.p95'] as const;
const GRID = 'paper-on-one-machine optquill';

const ROWS: readonly Row[] = [
  {
    question: 'People in one document, 2 of them in Chrome: most that held',
    link: 'paper.md#ours-beside-theirs',
    of: ({ grid }) => [`${GRID} ${grid}`],
    say: mostThatHeld,
  },
  {
    question: 'A page’s CPU with 48 people',
    link: 'paper.md#ours-beside-theirs',
    of: ({ grid }) => (grid === 'loro' ? null : [`${GRID} users=48 ${grid}`, 'userCpuPercent']),
    unit: '%',
  },
  ...latencyRows('4 people in Quill', 'compare optquill users=4', 'data/measurements.md#in-quill'),
  ...latencyRows('8 people, nothing rendered', 'compare noquill users=8', 'data/measurements.md#without-rendering'),
  {
    question: 'The server restarts with nothing on disk',
    link: 'data/resilience.md#the-server-restarts',
    of: ({ server, relay }) => [`restart ${server ?? relay}`],
    say: harmOf,
  },
  {
    question: '2 of 4 people are offline for 20 s',
    link: 'data/resilience.md#two-of-four-users-go-offline',
    of: ({ server, relay }) => [`offline ${server ?? relay}`],
    say: harmOf,
  },
  {
    question: 'Open a saved document of 260,000 edits',
    link: 'data/results-documents.md#saved-documents',
    of: ({ engine }) => [`table-4 state=automerge-paper ${engine} ${ENCODINGS[engine]}`, 'loadMs'],
    unit: 'ms',
  },
  {
    question: 'Its size',
    link: 'data/results-documents.md#saved-documents',
    of: ({ engine }) => [
      `first-question-documents-saved state=automerge-paper ${engine} ${ENCODINGS[engine]}`,
      'savedKiB',
    ],
    unit: 'KiB',
  },
  {
    question: 'A newcomer can type, after 10,000 edits',
    link: 'data/results-documents.md#a-newcomer',
    of: ({ server, relay }) => [`late-join edits=10000 ${server ?? `${relay} way=state`}`, 'typableMs.p50'],
    unit: 'ms',
  },
];

/** Encodings that the saved documents were opened from. */
const ENCODINGS: Readonly<Record<string, string>> = {
  yjs: 'encoding=v1',
  automerge: 'encoding=columns',
  loro: 'encoding=snapshot',
  'rich-text': 'encoding=json',
};

const SIGNS: Readonly<Record<Mark, string>> = { yes: '✓', partly: '½', no: '✗', 'not offered': '–' };
/** Questions that programs answer, with the ids of the capabilities. */
const CAPABLE: readonly (readonly [string, string])[] = [
  ['Edits made offline outlive a closed tab', 'offline-merge'],
  ['Its history can be read', 'history'],
  ['Undo of one’s own edits', 'undo'],
  ['Cursors of the others', 'presence'],
  ['The server may be blind (encryption end to end)', 'opaque-server'],
];
/** Peritext's cases. */
const RICH_TEXT = ['bold-at-its-end', 'insert-within-bold', 'overlapping-formats', 'bold-against-unbold', 'link-edges'];

/** The table of `docs/choose.md`; each cell leads to its data, or to the program that found it. */
export async function chooseMarkdown(): Promise<string> {
  const [places, kept] = await Promise.all([readPlaces(), readOutcomes()]);
  const link = (text: string, target: string) => (text === NOTHING ? text : `[${text}](${target})`);
  const measured = ROWS.map(({ question, link: target, of, unit, say }) => [
    unit === undefined ? question : `${question}, ${unit}`,
    ...COLUMNS.map((column) => link(textOf(of(column), say, places), target)),
    trialsOf(COLUMNS.flatMap((column) => of(column)?.[0] ?? []).flatMap((words) => cellsOf(words, places))),
  ]);
  const markOf = (library: string, id: string) => kept[library]!.outcomes[id]!.mark;
  const programs = CAPABLE.map(([question, id]) => [
    question,
    ...COLUMNS.map(({ library }) => link(SIGNS[markOf(library, id)], `../${programOf(library, id)}`)),
    'a program',
  ]);
  const richText = [
    `Rich text: of ${RICH_TEXT.length} hard cases, held whole`,
    ...COLUMNS.map(({ library }) => {
      const held = RICH_TEXT.filter((id) => markOf(library, id) === 'yes').length;
      return link(String(held), 'data/capabilities.md');
    }),
    'a program each',
  ];
  const headings = COLUMNS.map(({ library }) => `${titleOf(library)} ${kept[library]!.version}`);
  return markdownTable(['', ...headings, 'trials'], [...measured, richText, ...programs]);
}

const CARRIED = ['yjs', 'collabs', 'collabs-novc', 'sharedb', 'automerge', 'loro'];
const CARRIED_HEADINGS = ['library', 'people', 'key to others’ screens', 'CPU of a page'];

/** The README's table: the most people who held in the paper's grid, and their cost with 48. */
export async function carriedMarkdown(): Promise<string> {
  const places = await readPlaces();
  const rows = CARRIED.map((framework) => {
    const words = `${GRID} ${framework}`;
    const at48 = (figure: string, unit: string) =>
      cellsOf(`${words} users=48`, places).length === 0
        ? NOTHING
        : `${between(`${words} users=48 ${figure}`, places)} ${unit}`;
    return [
      `\`${framework}\``,
      mostThatHeld(words, places),
      at48('endToEndLatencyMs.p50', 'ms'),
      at48('userCpuPercent', '%'),
    ];
  });
  return markdownTable(CARRIED_HEADINGS, rows);
}

/** A chart of the most people who held here, and of the paper's, in Quill. */
export async function carriedChart(): Promise<string> {
  const places = await readPlaces();
  const charted = CARRIED.filter((framework) => framework !== 'loro' && framework !== 'sharedb');
  const inPaper = (framework: string) => resultOf(`paper table3 ${framework} most-optquill`, places);
  return [
    '```mermaid',
    'xychart-beta',
    '  title "Most people who held, in Quill: here (bars), in the paper (line)"',
    `  x-axis [${charted.map((framework) => `"${framework}"`).join(', ')}]`,
    '  y-axis "people" 0 --> 120',
    `  bar [${charted.map((framework) => mostThatHeld(`${GRID} ${framework}`, places)).join(', ')}]`,
    `  line [${charted.map(inPaper).join(', ')}]`,
    '```',
  ].join('\n');
}

/** Of one kind of run, over the relay and with the own server. */
function latencyRows(people: string, run: string, link: string): Row[] {
  const row = (over: string, name: 'relay' | 'server'): Row => ({
    question: `${people}, ${over}: key to others’ screens, p50 / p95`,
    ...{ link, unit: 'ms' },
    of: ({ [name]: framework }) => (framework === undefined ? null : [`${run} ${framework}`, ...LATENCIES]),
  });
  return [row('over one relay', 'relay'), row('own server', 'server')];
}

function textOf(measured: Measured | null, say: Row['say'], places: readonly Place[]): string {
  if (measured === null) return NOTHING;
  const [words, ...figures] = measured;
  if (say !== undefined) return say(words, places);
  const isUnclear = cellsOf(words, places).some(({ fields }) => fields.fullyFunctional === null);
  return `${figures.map((figure) => between(`${words} ${figure}`, places)).join(' / ')}${isUnclear ? ' ?' : ''}`;
}

/** All values of a place, such as `35–38`. */
function between(place: string, places: readonly Place[]): string {
  const [least, greatest] = ['least', 'greatest'].map((which) => numberText(resultOf(`${place} ${which}`, places)));
  return least === greatest ? least! : `${least}–${greatest}`;
}

function numberText(value: number): string {
  return value >= 10 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}

function mostThatHeld(words: string, places: readonly Place[]): string {
  const cells = cellsOf(words, places);
  const [held, missed] = [true, false].map((is) =>
    cells.filter(({ fields }) => fields.fullyFunctional === is).map(({ fields }) => Number(fields.users)),
  );
  const most = held!.length === 0 ? 'none' : String(Math.max(...held!));
  return missed!.length === 0 ? most : `${most}; ${Math.min(...missed!)} did not`;
}

function harmOf(words: string, places: readonly Place[]): string {
  const of = (figure: string) => resultOf(`${words} faults.0.${figure}.mean`, places);
  const [lost, gone] = [of('lostCharacters'), of('usersGone')];
  if (lost === 0 && gone === 0) return 'nothing lost';
  return `${numberText(lost)} characters lost, ${numberText(gone)} users alone`;
}

/** Cells that have all words, one of which names their run. */
function cellsOf(words: string, places: readonly Place[]): Place[] {
  const [run, ...others] = words.split(' ');
  return places.filter(({ runs, words: own }) => runs.includes(run!) && others.every((word) => own.has(word)));
}

/** Valid trials of each cell, such as `1–3`. */
function trialsOf(cells: readonly Place[]): string {
  const counts = cells.map(({ fields }) => Number(fields.validTrials));
  return [...new Set([Math.min(...counts), Math.max(...counts)])].join('–');
}

function titleOf(library: string): string {
  return LIBRARIES.find(({ name }) => name === library)!.title;
}

function programOf(library: string, id: string): string {
  return programPath(
    CAPABILITIES.find((capability) => capability.id === id)!,
    LIBRARIES.find(({ name }) => name === library)!,
  );
}
