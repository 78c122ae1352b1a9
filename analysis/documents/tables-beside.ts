/** The tables beside the cells of documents: others' figures, and the growth of measured ones. */
import type { DocumentSummary } from '../../results/formats/documents.ts';
import type { PublishedDocumentStudy } from '../../results/published/document-figures.ts';
import { formatAmount, NOTHING } from '../figures/figure-text.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import { slopeTables } from './slopes.ts';
import { CATALOGUES, nameOf, numberOf } from './table.ts';

/** @param trace of the experiment */
export function tablesBeside(
  summary: DocumentSummary,
  trace: unknown,
  studies: readonly PublishedDocumentStudy[],
): CaptionedTable[] {
  return [...publishedTables(summary, trace, studies), ...slopeTables(summary)];
}

/** Others' figures beside the run's, with what one is of the other; for each study that has a row. */
function publishedTables(
  summary: DocumentSummary,
  trace: unknown,
  studies: readonly PublishedDocumentStudy[],
): CaptionedTable[] {
  const { figures } = CATALOGUES[summary.scenario];
  return studies
    .filter((study) => study.scenario === summary.scenario && study.trace === trace)
    .flatMap((study, index) => {
      const rows = study.rows.flatMap(({ as, of, figure, value }) => {
        const known = figures.find(({ name }) => name === figure);
        return summary.cells
          .filter((cell) => known !== undefined && Object.entries(of).every(([name, wanted]) => cell[name] === wanted))
          .map((cell) => {
            const here = numberOf(cell, figure);
            const ratio = here === null ? NOTHING : formatAmount(here / value);
            const what = `${known!.label}, ${known!.unit}`;
            return [
              as,
              `${nameOf(summary, cell)} ${cell.version}`,
              what,
              formatAmount(value),
              formatAmount(here),
              ratio,
            ];
          });
      });
      if (rows.length === 0) return [];
      return [
        {
          id: `published-${index + 1}`,
          title: `Published beside measured: ${study.author} ${study.year}, “${study.title}”`,
          columns: [
            ...[left('published'), left('here'), left('figure')],
            ...[right('published'), right('measured'), right('ratio')],
          ],
          rows,
          notes: [study.conditions, study.url],
        },
      ];
    });
}
