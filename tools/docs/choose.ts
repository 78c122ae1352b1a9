/** The table that answers which library to take: one row a question, made of kept runs and of the capabilities' outcomes. */
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { BUSY_MARK, NOTHING } from '../../analysis/figures/figure-text.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { CAPABILITIES, LIBRARIES, programPath } from '../../capabilities/capabilities.ts';
import { readOutcomes } from '../../capabilities/outcomes.ts';
import type { Mark } from '../../capabilities/programs/outcome.ts';
import { type Basis, basisOf, between, type Data, numberText, ratioTo, readData, type Sources } from './basis.ts';
import { amongMany, amongText, mostThatHeld, peopleWhoHeld } from './carried.ts';
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
  { library: 'sharedb', server: 'sharedb-stock', grid: 'sharedb', engine: 'rich-text' },
];

interface Row {
  question: string;
  /** Null: there is nothing to measure. */
  of: (column: Column) => Sources | null;
  /** In the order of the cell's text. */
  figures?: readonly string[];
  unit?: string;
  /** Instead of the figures. */
  say?: (basis: Basis, data: Data) => string;
  /** Sections with all of it: of the older run, and of the campaign's blocks. */
  link: string;
  blocksLink?: string;
}

const AMONG_MANY = { link: 'paper.md#ours-beside-theirs', blocksLink: 'data/results.md#in-blocks' };
const SAVED = 'data/results-documents.md#saved-documents';

const ROWS: readonly Row[] = [
  {
    question: 'People in one document, 2 of them in Chrome: most that were tried',
    of: ({ grid }) => peopleWhoHeld(grid),
    say: mostThatHeld,
    ...AMONG_MANY,
  },
  {
    question: 'A page’s CPU among many people, %',
    of: ({ grid }) => amongMany(grid),
    say: (basis, data) => amongText(basis, 'userCpuPercent', data),
    ...AMONG_MANY,
  },
  ...latencyRows('4 people in Quill, 750 characters', {
    blocks: 'comparison-young optquill',
    older: 'compare optquill users=4',
    link: 'data/measurements.md#in-quill',
  }),
  ...latencyRows('4 people in Quill, 50,000 characters', {
    blocks: 'comparison-long optquill',
    link: 'data/measurements.md#in-blocks',
  }),
  {
    question: 'The server restarts with nothing on disk',
    of: ({ server, relay }) => ({ older: `restart ${server ?? relay}` }),
    say: harmOf,
    link: 'data/resilience.md#the-server-restarts',
  },
  {
    question: '2 of 4 people are offline for 20 s',
    of: ({ server, relay }) => ({ older: `offline ${server ?? relay}` }),
    say: harmOf,
    link: 'data/resilience.md#two-of-four-users-go-offline',
  },
  ...savedRows('with its history', { automerge: 'columns', loro: 'snapshot' }),
  ...savedRows('without its history', { yjs: 'v1', 'rich-text': 'json' }),
  {
    question: 'A newcomer can type, after 10,000 edits, by the library’s own way',
    of: ({ server, relay }) => ({ older: `late-join edits=10000 ${server ?? `${relay} way=state`}` }),
    figures: ['typableMs.p50'],
    unit: 'ms',
    link: 'data/results-documents.md#a-newcomer',
  },
];

/** Marks a cell, and the trials, of an older run where blocks should stand. */
const OLDER = '†';
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

/**
 * The table of `docs/choose.md`; each cell leads to its data, or to the program that found it.
 *
 * @param root another folder of kept runs, for tests
 */
export async function chooseMarkdown(root?: string): Promise<string> {
  const [data, kept] = await Promise.all([readData(root), readOutcomes()]);
  const link = (text: string, target: string) => (text === NOTHING ? text : `[${text}](${target})`);
  const measured = ROWS.map((row) => {
    const bases = COLUMNS.map((column) => basisIn(row, column, data));
    return [
      row.unit === undefined ? row.question : `${row.question}, ${row.unit}`,
      ...bases.map((basis) => {
        if (basis === null) return NOTHING;
        const target = basis.isOfBlocks ? row.blocksLink! : row.link;
        const text = link(textOf(basis, row, data), target);
        return isStopgap(basis) ? `${text} ${OLDER}` : text;
      }),
      restsOn(bases.filter((basis) => basis !== null)),
    ];
  });
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
  return markdownTable(['', ...headings, 'rests on'], [...measured, richText, ...programs]);
}

function basisIn({ of }: Row, column: Column, data: Data): Basis | null {
  const sources = of(column);
  return sources === null ? null : basisOf(sources, data);
}

interface LatencyCells {
  blocks: string;
  older?: string;
  link: string;
}

/** Over the relay and with the own server; each with its ratio to Yjs, of the same blocks. */
function latencyRows(people: string, { blocks, older, link }: LatencyCells): Row[] {
  const to = { link, blocksLink: 'data/measurements.md#in-blocks' };
  const figures = ['endToEndLatencyMs.p50', 'endToEndLatencyMs.p95'];
  return (['relay', 'server'] as const).flatMap((name): Row[] => {
    const over = name === 'relay' ? 'over one relay' : 'own server';
    const reference = COLUMNS[0]![name]!;
    return [
      {
        question: `${people}, ${over}: key to others’ screens, p50 / p95`,
        of: ({ [name]: framework }) => {
          if (framework === undefined) return null;
          return { blocks: `${blocks} ${framework}`, ...(older !== undefined && { older: `${older} ${framework}` }) };
        },
        ...{ figures, unit: 'ms', ...to },
      },
      {
        question: `The same p50 ÷ Yjs’s in each block (95 % interval)`,
        of: ({ [name]: framework }) =>
          framework === undefined || framework === reference ? null : { blocks: `${blocks} ${framework}` },
        say: (basis, data) => ratioTo(reference, basis, figures[0]!, data),
        ...to,
      },
    ];
  });
}

/** Time to open a saved document of these encodings, by engine, and its size: only like is set beside like. */
function savedRows(what: string, encodings: Readonly<Record<string, string>>): Row[] {
  const of = ({ engine }: Column): Sources | null => {
    if (encodings[engine] === undefined) return null;
    const cell = `state=automerge-paper ${engine} encoding=${encodings[engine]}`;
    return { blocks: `documents-saved ${cell}`, older: `table-4 ${cell}` };
  };
  return [
    { question: `Open a saved document of 260,000 edits, ${what}`, figures: ['loadMs'], unit: 'ms' },
    { question: `Its size, ${what}`, figures: ['savedKiB'], unit: 'KiB' },
  ].map((row) => ({ ...row, of, link: SAVED, blocksLink: SAVED }));
}

function textOf(basis: Basis, { figures = [], say }: Row, data: Data): string {
  if (basis.cells.length === 0) return NOTHING;
  if (say !== undefined) return say(basis, data);
  const isUnclear = basis.cells.some(({ fields }) => fields.fullyFunctional === null);
  const isBusy = basis.cells.some(({ fields }) => Number(fields.machineCpuPercent) > BUSY_MACHINE_PERCENT);
  const texts = figures.map((figure) => `${between(basis, figure, data)}${isBusy ? BUSY_MARK : ''}`);
  return `${texts.join(' / ')}${isUnclear ? ' ?' : ''}`;
}

/** True for an older run that stands where blocks should. */
function isStopgap({ cells, isOfBlocks, needed }: Basis): boolean {
  return cells.length > 0 && !isOfBlocks && needed > 0;
}

function harmOf({ words }: Basis, { places }: Data): string {
  const of = (figure: string) => resultOf(`${words} faults.0.${figure}.mean`, places);
  const [lost, gone] = [of('lostCharacters'), of('usersGone')];
  if (lost === 0 && gone === 0) return 'nothing lost';
  return `${numberText(lost)} characters lost, ${numberText(gone)} users alone`;
}

/** Valid blocks of a row's cells, and trials of its older runs, such as `0–1 of 3 blocks; 2 trials †`. */
function restsOn(bases: readonly Basis[]): string {
  const wanted = bases.filter(({ needed }) => needed > 0);
  const blocks = wanted.map(({ kept }) => kept);
  const lacks = wanted.some(({ kept, needed }) => kept < needed) ? ` of ${wanted[0]!.needed}` : '';
  const older = bases.filter(({ isOfBlocks }) => !isOfBlocks).flatMap(({ cells }) => cells);
  const trials = older.map(({ fields }) => Number(fields.validTrials));
  const mark = wanted.length === 0 ? '' : ` ${OLDER}`;
  return [
    ...(wanted.length === 0 ? [] : [`${rangeOf(blocks)}${lacks} blocks`]),
    ...(trials.length === 0 ? [] : [`${rangeOf(trials)} ${Math.max(...trials) === 1 ? 'trial' : 'trials'}${mark}`]),
  ].join('; ');
}

function rangeOf(counts: readonly number[]): string {
  const [least, greatest] = [Math.min(...counts), Math.max(...counts)];
  return least === greatest ? String(least) : `${least}–${greatest}`;
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
