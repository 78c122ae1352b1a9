/** The tables beside the cells of documents: others' figures, and the growth of measured ones. */
import type { DocumentSummary } from '../../results/formats/documents.ts';
import type { PublishedDocumentStudy } from '../../results/published/document-figures.ts';
import { formatAmount, formatExponent, NOTHING } from '../figures/figure-text.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import { PUBLISHED_SOURCE, publishedSlopes, type Slope, slopes, slopeTables } from './slopes.ts';
import { CATALOGUES, nameOf, numberOf } from './table.ts';

/** @param trace of the experiment */
export function tablesBeside(
  summary: DocumentSummary,
  trace: unknown,
  studies: readonly PublishedDocumentStudy[],
): CaptionedTable[] {
  return [...publishedTables(summary, trace, studies), ...publishedSlopeTables(summary), ...slopeTables(summary)];
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

/** Riak's published slopes beside the measured ones; empty if nothing was measured at two sizes. */
function publishedSlopeTables({ scenario, cells }: DocumentSummary): CaptionedTable[] {
  if (scenario !== 'rest') return [];
  const published = publishedSlopes();
  const rows = slopes(cells).map(({ store, way, durable, ...slope }) => {
    const alike = published.find((each) => each.way === way);
    const there = alike === undefined ? NOTHING : `${formatExponent(alike.exponent, alike.interval)}: ${alike.name}`;
    return [store, way, durable, rangeOf(slope), formatExponent(slope.exponent, slope.interval), there];
  });
  if (rows.length === 0) return [];
  return [
    {
      id: 'published-slopes',
      title: 'How the cost of a write grows with the size: measured, and published for sets in Riak',
      columns: ['store', 'way', 'durable', 'edits', 'exponent here', 'exponent published'].map(left),
      rows,
      notes: [
        '0: as dear at any size; 1: grows with it. In brackets: the 95 % interval, where there are three sizes or more. Slopes only: times of another machine, database and kind of data say nothing here.',
        `${PUBLISHED_SOURCE.title} (${PUBLISHED_SOURCE.year}), ${PUBLISHED_SOURCE.url}`,
      ],
    },
  ];
}

function rangeOf({ sizes }: Slope): string {
  return `${sizes[0]!.toLocaleString('en')}–${sizes.at(-1)!.toLocaleString('en')}`;
}
