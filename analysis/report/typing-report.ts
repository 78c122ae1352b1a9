/** The report of runs in which people type. */
import { readPublishedStudy } from '../../results/published/read-study.ts';
import { UserError } from '../../results/user-error.ts';
import type { AnalysedRun } from '../cell/analyse-run.ts';
import { withoutGrowth } from '../cell/growth.ts';
import type { Reported } from '../page/report-page.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { TypingCell } from '../scenarios/cell.ts';
import { onlyKnown } from '../statistics/quantile.ts';
import { markdownList } from '../tables/render.ts';
import { answerOf } from './answer.ts';
import { besidePaper } from './beside-paper.ts';
import { collectReport } from './collect.ts';
import { resilienceCsv, seriesCsv } from './csv.ts';
import type { TypingReport } from './report-data.ts';
import { markdownSection, type ReportOptions, type ReportParts } from './report-parts.ts';
import { resilienceTables } from './resilience-tables.ts';
import { formatMarkdownTable } from './summary-table.ts';
import { mainTables, makeTables, publishedTables, scalingTables, tierTables } from './tables.ts';

/** @throws UserError (exit code 2) if no cell has the user count that is asked for */
export async function typingParts(
  analysed: { runs: readonly AnalysedRun[]; problems: readonly string[] },
  { users, published = false, outDirectory }: ReportOptions & { outDirectory: string },
): Promise<ReportParts> {
  const { runs } = analysed;
  refuseUnknownUsers(runs, users);
  const study = published ? await readPublishedStudy() : null;
  // Runs of people who type have no other cells.
  const data = (await collectReport(analysed, { outDirectory, published: study })) as TypingReport;
  const tables = makeTables(data, users);
  return {
    files: filesOf(data),
    first: runs.map(formatMarkdownTable),
    problems: data.problems,
    sections: tables,
    last: publishedSections(data),
    latex: [
      ...mainTables(runs, { withIntervals: false, notes: [SCENARIOS.typing.legend.join(' · ')] }),
      ...tables,
      ...publishedTables(data),
    ],
    beside: onlyKnown([besidePaper(data), ...scalingTables(data)]).filter(({ rows }) => rows.length > 0),
    page: reportedOf(data),
  };
}

/** As the page has it. */
export function reportedOf(data: TypingReport): Reported {
  const { runs, cells } = data;
  const scaling = scalingTables(data).filter(({ rows }) => rows.length > 0);
  const ofRuns = runs.map((_, run) => cells.filter((cell) => cell.run === run));
  return {
    ...data,
    answer: runs.length === 1 ? shortAnswer(cells) : ofRuns.flatMap(answerOfRun),
    tables: [...tierTables(data, resilienceTables), ...scaling],
    remarks: scaling.length > 0 ? [] : ofRuns.flatMap(withoutGrowth),
    publishedTables: publishedTables(data),
  };
}

/** Runs may differ in machine and conditions, so that each has an answer of its own. */
function answerOfRun(cells: readonly TypingCell[], run: number): string[] {
  return shortAnswer(cells).map((sentence) => `Run ${run + 1}: ${sentence}`);
}

/** More are no answer: then only those with the most users. */
const MOST_SENTENCES = 4;

function shortAnswer(cells: readonly TypingCell[]): string[] {
  if (cells.length === 0) return ['No trial has run yet.'];
  const most = Math.max(...cells.map(({ parameters }) => parameters.users));
  const all = answerOf(cells);
  return all.length > MOST_SENTENCES ? answerOf(cells.filter(({ parameters }) => parameters.users === most)) : all;
}

function filesOf(data: TypingReport): [string, string][] {
  const resilience = resilienceCsv(data);
  return [
    ...(resilience === '' ? [] : [['resilience.csv', resilience] satisfies [string, string]]),
    ...data.cells.map(({ run, name, series }): [string, string] => {
      const prefix = data.runs.length > 1 ? `run-${run + 1}-` : '';
      return [`series/${prefix}${name}.csv`, seriesCsv(series)];
    }),
  ];
}

/** A table that is asked for must not be missing without a word. */
function refuseUnknownUsers(runs: readonly AnalysedRun[], users: number | undefined): void {
  const counts = new Set(
    runs.flatMap(({ plan }) => plan.trials.flatMap((trial) => ('users' in trial ? trial.users : []))),
  );
  if (users === undefined || counts.has(users)) return;
  const list = [...counts].sort((a, b) => a - b).join(', ');
  throw new UserError(`no cell has ${users} users; there are cells with ${list}`);
}

function publishedSections(data: TypingReport): string[] {
  const { published } = data;
  if (published === null) return [];
  return [
    `# Published numbers, not measured here\n\n${published.authors[0]} et al. ${published.year}: [${published.title}](${published.url}). ${published.source}`,
    markdownList(published.conditions),
    ...publishedTables(data).map(markdownSection),
    `Not here:\n\n${markdownList(published.missing)}`,
  ];
}
