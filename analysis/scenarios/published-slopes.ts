/** Riak's published slopes beside the measured ones, as a table. */
import type { DocumentSummary } from '../../results/formats/document-summary.ts';
import { NOTHING } from '../figures/figure-text.ts';
import { type CaptionedTable, left } from '../tables/table.ts';
import { PUBLISHED_SOURCE, publishedSlopes, type Slope, slopes } from './rest-slopes.ts';

/** Empty where nothing was measured at two sizes. */
export function publishedSlopeTables({ scenario, cells }: DocumentSummary): CaptionedTable[] {
  if (scenario !== 'rest') return [];
  const published = publishedSlopes();
  const rows = slopes(cells).map(({ store, way, durable, ...slope }) => {
    const alike = published.find((each) => each.way === way);
    const there = alike === undefined ? NOTHING : `${textOf(alike)}: ${alike.name}`;
    return [store, way, durable, rangeOf(slope), textOf(slope), there];
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

function textOf({ exponent, interval }: Slope): string {
  const between = interval === null ? '' : ` (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`;
  return `${exponent.toFixed(2)}${between}`;
}

function rangeOf({ sizes }: Slope): string {
  return `${sizes[0]!.toLocaleString('en')}–${sizes.at(-1)!.toLocaleString('en')}`;
}
