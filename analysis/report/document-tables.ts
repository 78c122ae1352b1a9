/** The tables beside the cells of documents: others' figures, and the growth of measured ones. */
import type { PublishedDocumentStudy } from '../../results/published/document-figures.ts';
import { figureOf } from '../figures/figure.ts';
import { formatAmount, NOTHING } from '../figures/figure-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { nameOf } from '../scenarios/cell-name.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import { slopeTables } from './growth-tables.ts';

/** @param trace of the experiment */
export function documentTables(
  run: MeasuredRun,
  trace: unknown,
  studies: readonly PublishedDocumentStudy[],
): CaptionedTable[] {
  const fitting = studies.filter((study) => study.scenario === run.scenario && study.trace === trace);
  return [...fitting.flatMap((study, index) => publishedTable(run, study, index + 1)), ...slopeTables(run)];
}

/** Others' figures beside the run's, with what one is of the other; none if the study has no such row. */
function publishedTable(run: MeasuredRun, study: PublishedDocumentStudy, number: number): CaptionedTable[] {
  const { figures } = SCENARIOS[run.scenario];
  const rows = study.rows.flatMap(({ as, of, figure: name, value }) => {
    const figure = figures.find((each) => each.name === name);
    if (figure === undefined) return [];
    const wanted = Object.entries(of);
    const cells = run.cells.filter(({ parameters }) => wanted.every(([parameter, is]) => parameters[parameter] === is));
    return cells.map((cell) => {
      const here = figureOf(cell, figure);
      return [
        ...[as, `${nameOf(run, cell)} ${cell.version}`, `${figure.label}, ${figure.unit}`],
        ...[formatAmount(value), formatAmount(here), here === null ? NOTHING : formatAmount(here / value)],
      ];
    });
  });
  if (rows.length === 0) return [];
  return [
    {
      id: `published-${number}`,
      title: `Published beside measured: ${study.author} ${study.year}, “${study.title}”`,
      columns: [
        ...[left('published'), left('here'), left('figure')],
        ...[right('published'), right('measured'), right('ratio')],
      ],
      rows,
      notes: [study.conditions, study.url],
    },
  ];
}
