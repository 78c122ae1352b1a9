/** The cost of each reader, in figures of the server. */
import type { ReaderCost } from '../../results/formats/summary.ts';
import { READER_FIGURES, readerCosts } from '../cell/reader-costs.ts';
import { NOTHING } from '../figures/figure-text.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import { type ReportData, runColumn, runText } from './report-data.ts';

/** Has no rows where no framework has run with two numbers of readers. */
export function readersTable({ cells, runs }: Pick<ReportData, 'cells' | 'runs'>): CaptionedTable {
  const rows = runs.flatMap((_, run) =>
    readerCosts(cells.filter((cell) => cell.run === run)).map(({ framework, mode, users, readers, costs }) => {
      const texts = READER_FIGURES.flatMap(({ name, unitOf }) => {
        const cost = costs.find(({ figure }) => figure === name);
        return [perReaderText(cost?.perReader), ...(unitOf === undefined ? [] : [perReaderText(cost?.usPerEdit)])];
      });
      return [...runText({ runs }, run), framework, mode, String(users), readers.join(', '), ...texts];
    }),
  );
  const headings = READER_FIGURES.flatMap(({ label, unit, unitOf }) => [
    `${label}, ${unit}`,
    ...(unitOf === undefined ? [] : ['µs per edit']),
  ]);
  const numbers = ['users', 'readers', ...headings].map((heading) => right(heading));
  return {
    id: 'readers',
    title: 'What each reader adds',
    columns: [...runColumn({ runs }), left('framework'), left('mode'), ...numbers],
    rows,
    notes: [
      'The slope of a straight line over the numbers of readers, one point per trial. In brackets: its 95 % interval. Per edit: of each edit that anybody made, for each reader.',
    ],
  };
}

function perReaderText(cost: ReaderCost['costs'][number]['usPerEdit'] | undefined): string {
  if (cost === null || cost === undefined) return NOTHING;
  const digits = (value: number) => String(Number(value.toPrecision(2)));
  const { value, ci95 } = cost;
  return ci95 === null ? digits(value) : `${digits(value)} (${digits(ci95.low)}–${digits(ci95.high)})`;
}
