/** The report of a run that measures single documents. */
import { readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import type { AnalysedRun } from '../cell/analyse-run.ts';
import { chartsOf } from '../charts/growth-charts.ts';
import { svgFile } from '../charts/svg-chart.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { describeCells } from './cell-messages.ts';
import { collectReport } from './collect.ts';
import { documentTables } from './document-tables.ts';
import type { ReportParts } from './report-parts.ts';
import { mainTables } from './tables.ts';

const INTERVALS = `In brackets: the 95 % interval over trials; without one: fewer than ${MIN_TRIALS} trials have the figure.`;

export async function documentParts(run: AnalysedRun, outDirectory: string): Promise<ReportParts> {
  const data = await collectReport({ runs: [run], problems: [] }, { outDirectory, published: null });
  const studies = await readPublishedDocumentFigures();
  const beside = documentTables(run, run.plan.experiment.trace, studies);
  const notes = [...SCENARIOS[run.scenario].legend, INTERVALS];
  const tables = [...mainTables([run], { withIntervals: true, notes }), ...beside];
  const problems = describeCells(run, '').split('\n').filter(Boolean);
  return {
    files: chartsOf(run).map((chart) => [`charts/${chart.id}.svg`, svgFile(chart)] as const),
    first: [describeCells(run, '- ')].filter(Boolean),
    problems: [],
    sections: tables,
    last: [],
    latex: tables,
    beside,
    page: { ...data, answer: [], tables: beside, remarks: [], problems, publishedTables: [] },
  };
}
