/** The summary of a document scenario as a table: for the terminal, and as parts for other forms. */

import type { DocumentCell, DocumentScenario, DocumentSummary } from '../../results/formats/documents.ts';
import { formatAmount, formatAmountWithin, NOTHING } from '../figures/figure-text.ts';
import { describeSpeed } from '../figures/machine-speed.ts';
import { renderText } from '../tables/render.ts';
import { describeMessages } from '../tables/summary-table.ts';
import type { ColumnOf, Table } from '../tables/table.ts';
import { catalogue as join } from './join.ts';
import { catalogue as replay } from './replay.ts';
import { catalogue as rest } from './rest.ts';
import { MACHINE_FIGURES, type ScenarioCatalogue } from './scenario.ts';
import { catalogue as state } from './state.ts';

interface DocumentColumn extends ColumnOf<DocumentCell> {
  /** With the interval over trials; absent: it has none. */
  textWithin?: (cell: DocumentCell) => string;
  isIdentity: boolean;
}

/** The table of a summary: constants above the rows; reasons, notes and units below. */
export function formatDocumentTable(summary: DocumentSummary): string {
  const { legend } = CATALOGUES[summary.scenario];
  return [
    constantsOf(summary),
    layOutCells(summary),
    describeCells(summary),
    [...legend, `${NOTHING}: not measured, or not offered · figures: centres of the valid trials`].join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The table alone. */
export function layOutCells(summary: DocumentSummary): string {
  return renderText(tabulateCells(summary));
}

/** A row for each cell, with all that varies between cells; in brackets the intervals, if they are asked for. */
export function tabulateCells(
  summary: DocumentSummary,
  { withIntervals = false }: { withIntervals?: boolean } = {},
): Table {
  const columns = shownColumns(summary);
  return {
    columns,
    rows: summary.cells.map((cell) =>
      columns.map(({ text, textWithin }) => ((withIntervals && textWithin) || text)(cell)),
    ),
  };
}

/** A cell by its parameters that vary. */
export function nameOf({ scenario, cells }: DocumentSummary, cell: DocumentCell): string {
  const varying = CATALOGUES[scenario].parameters.filter(
    ({ name }, index) => index === 0 || new Set(cells.map((each) => each[name])).size > 1,
  );
  return varying
    .flatMap(({ name, unit }) =>
      cell[name] === undefined ? [] : [unit === undefined ? `${cell[name]}` : `${cell[name]} ${unit}`],
    )
    .join(', ');
}

/** A figure of a cell; null if it was not measured. */
export function numberOf(cell: DocumentCell, name: string): number | null {
  const value = cell[name];
  return typeof value === 'number' ? value : null;
}

function columnsOf({ scenario }: DocumentSummary): DocumentColumn[] {
  const { parameters, figures } = CATALOGUES[scenario];
  return [
    ...parameters.map(
      ({ name, short, unit }): DocumentColumn => ({
        heading: short,
        align: unit === undefined ? 'left' : 'right',
        text: (cell) => String(cell[name] ?? NOTHING),
        isIdentity: true,
      }),
    ),
    {
      heading: 'verdict',
      align: 'left',
      text: ({ verdict }) => (verdict === 'partly valid' ? 'partly' : verdict),
      isIdentity: false,
    },
    ...figures
      .filter(({ places }) => places.includes('main'))
      .map(
        ({ name, short }): DocumentColumn => ({
          heading: short,
          align: 'right',
          text: (cell) => formatAmount(numberOf(cell, name)),
          textWithin: (cell) => formatAmountWithin(numberOf(cell, name), cell.ci95[name]),
          isIdentity: false,
        }),
      ),
  ];
}

/** A single cell keeps its name: a row without one says nothing. Figures that no cell has are left out. */
function shownColumns(summary: DocumentSummary): DocumentColumn[] {
  return columnsOf(summary).filter(({ text, isIdentity }, index) => {
    const texts = new Set(summary.cells.map(text));
    if (isIdentity) return index === 0 || texts.size > 1;
    return texts.size > 1 || !texts.has(NOTHING);
  });
}

function constantsOf(summary: DocumentSummary): string {
  const { title, parameters } = CATALOGUES[summary.scenario];
  const [first] = summary.cells;
  if (first === undefined) return `${summary.experiment}, ${summary.startedAt} · ${title}\nNo trial has run yet.`;
  const constant = parameters
    .slice(1)
    .filter(({ name }) => new Set(summary.cells.map((cell) => cell[name])).size === 1)
    .map(({ name }) => `${name} ${first[name]}`);
  const versions = new Set(summary.cells.map((cell) => `${cell[parameters[0]!.name]} ${cell.version}`));
  return [
    `${summary.experiment}, ${summary.startedAt} · ${title}`,
    [...versions, ...constant, `machine: ${describeSpeed(summary.cells)}`].join(' · '),
  ].join('\n');
}

/** Reasons and notes, each once, with the cells that it is about; as a list, where a bullet is given. */
export function describeCells(summary: DocumentSummary, bullet = '  '): string {
  return describeMessages(
    summary.cells.map((cell) => ({ name: nameOf(summary, cell), summary: cell })),
    bullet,
  );
}

export const CATALOGUES = Object.fromEntries(
  Object.entries({ replay, state, join, rest }).map(([name, catalogue]) => [
    name,
    { ...catalogue, figures: [...catalogue.figures, ...MACHINE_FIGURES] },
  ]),
) as unknown as Readonly<Record<DocumentScenario, ScenarioCatalogue>>;
