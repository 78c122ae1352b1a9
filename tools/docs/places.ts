/** The data that figures in prose are tied to: cells of kept runs, rows of published studies and of benches. */
import { CATALOGUES } from '../../analysis/documents/table.ts';
import {
  type Bench,
  isOfDocuments,
  type KeptRun,
  keptNames,
  readBenches,
  readKept,
} from '../../analysis/site/kept-runs.ts';
import { poolCampaigns } from '../../analysis/site/pool-campaigns.ts';
import { readPublishedStudy } from '../../results/published/read-study.ts';

export interface Place {
  /** Names that any of its figures may be found by: the run's, and its experiment's. */
  runs: readonly string[];
  /** Values of its parameters, such as `yjs` and `framework=yjs`. */
  words: ReadonlySet<string>;
  fields: Readonly<Record<string, unknown>>;
}

/** All places that a page may name. */
export async function readPlaces(root?: string): Promise<Place[]> {
  const names = await keptNames(root);
  const kept = await Promise.all(names.map(async (name) => ({ name, kept: await readKept(name, root) })));
  const blocks = kept.filter((run) => run.kept.campaign !== undefined);
  return [
    // A sentence on one block stays true as others come.
    ...blocks.flatMap((run) => placesOf([run.name], run.kept)),
    ...poolCampaigns(kept).flatMap(({ name, kept: run }) => {
      const { experiment } = run.summary;
      return placesOf(run.campaign === undefined ? [name, experiment] : [experiment], run);
    }),
    ...(await paperPlaces()),
    ...(await readBenches()).flatMap(benchPlaces),
  ];
}

function placesOf(runs: readonly string[], { plan, summary }: KeptRun): Place[] {
  const parameters = isOfDocuments(summary)
    ? CATALOGUES[summary.scenario].parameters.map((parameter) => parameter.name)
    : ['framework', 'mode', 'users'];
  return (summary.cells as readonly Record<string, unknown>[]).map((cell) => ({
    runs,
    words: new Set(
      parameters.flatMap((parameter) => {
        const value = wordOf(String(cell[parameter]));
        return [value, `${parameter}=${value}`];
      }),
    ),
    fields: { ...cell, plan: plan.experiment },
  }));
}

/** The Collabs paper's: `paper optquill 112 yjs local-p50`, `paper table3 yjs most-optquill`. */
async function paperPlaces(): Promise<Place[]> {
  return (await readPublishedStudy()).tables.flatMap(({ name, columns, rows }) =>
    rows.map(({ framework, here, figures }) => ({
      runs: ['paper'],
      words: new Set(
        [
          ...name
            .replace(/ users$/, '')
            .replace('Table ', 'table')
            .split(', '),
          here ?? framework,
        ].map(wordOf),
      ),
      fields: Object.fromEntries(
        columns.map(({ name: column, unit }, index) => [
          wordOf(unit === 'users' ? `most-${column}` : column),
          figures[index],
        ]),
      ),
    })),
  );
}

/** Such as `bench-harness its-memory seen`. */
function benchPlaces({ name, columns, rows }: Bench): Place[] {
  return rows.map((row) => ({
    runs: [`bench-${name}`],
    words: new Set(row.filter((value) => typeof value === 'string').map(wordOf)),
    fields: Object.fromEntries(columns.map((column, index) => [wordOf(column), row[index]])),
  }));
}

/** `Quill's state` as one word of a place. */
function wordOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.@+_-]+/gu, '-')
    .replace(/-$/, '');
}
