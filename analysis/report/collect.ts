/** From analysed runs to the report's data; the conditions that runs in one report must share. */
import { glob } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { PublishedStudy } from '../../results/published/study.ts';
import { asReason, scenarioOf } from '../../results/run-folder/run-files.ts';
import { UserError } from '../../results/user-error.ts';
import { type AnalysedRun, analyseRun } from '../cell/analyse-run.ts';
import { notesOf, reasonsOf } from '../cell/messages.ts';
import { differingConditions } from '../cell/run-conditions.ts';
import { warnOfSpeeds } from '../figures/machine-speed.ts';
import type { ReportedRun } from '../page/about-section.ts';
import type { ReportedCell } from '../page/cells-section.ts';
import type { ReportData } from '../page/report-page.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { Cell, CellTrial } from '../scenarios/cell.ts';

/** @throws UserError (exit code 2) if one of several runs is of documents: such runs are reported one by one */
export async function refuseSeveralOfDocuments(directories: readonly string[]): Promise<void> {
  const scenarios = await Promise.all(directories.map(scenarioOf));
  if (scenarios.length < 2 || scenarios.every((scenario) => SCENARIOS[scenario].isTyping)) return;
  const seen = directories.map((directory, index) => `${directory} (${scenarios[index]})`).join(', ');
  throw new UserError(`${seen}: report on runs of document scenarios one at a time`);
}

/**
 * Analyses each run, as `analyseRun` does. One that cannot be read is left out and named, as long as another one can.
 *
 * @throws UserError (exit code 2) where no run can be read, one is given twice, or two that bear the same name were made
 *         under different conditions
 */
export async function analyseRuns(
  directories: readonly string[],
  options: { keeps: boolean },
): Promise<{ runs: AnalysedRun[]; problems: string[] }> {
  refuseRepetition(directories);
  const all = await Array.fromAsync(directories, (directory) => asReason(() => analyseRun(directory, options)));
  const runs = all.filter((run) => typeof run !== 'string');
  const refused = all.filter((run) => typeof run === 'string');
  if (runs.length === 0) throw new UserError(refused.join('\n'));
  refuseMixture(runs);
  return { runs, problems: refused.map((reason) => `left out: ${reason}`) };
}

/** @param outDirectory where the report will lie; paths in it are relative to there */
export async function collectReport(
  { runs, problems }: { runs: readonly AnalysedRun[]; problems: readonly string[] },
  options: { outDirectory: string; published: PublishedStudy | null },
): Promise<ReportData> {
  const pathOf = (path: string) => relative(resolve(options.outDirectory), resolve(path)) || '.';
  const cells = runs.flatMap((analysed, run) => analysed.cells.map((cell) => collectCell(run, analysed, cell, pathOf)));
  return {
    scenario: runs[0]!.scenario,
    runs: runs.map((run) => describeRun(run, pathOf(run.directory))),
    cells: await Promise.all(cells),
    published: options.published,
    problems: [
      ...problems,
      ...warnOfSpeeds(runs.map((run) => ({ name: nameOf(run, pathOf(run.directory)), cells: run.cells }))),
      ...runs.flatMap((run) => problemsOf(run, pathOf(run.directory))),
    ],
  };
}

/** @param directory from the report's folder to the run's */
function describeRun({ plan, environment, cells }: AnalysedRun, directory: string): ReportedRun {
  const trials = cells.flatMap(({ ran }) => ran);
  return {
    directory,
    experiment: plan.experiment.name,
    startedAt: plan.startedAt,
    environment,
    plan: plan.experiment,
    plannedTrials: plan.trials.length,
    finishedTrials: trials.length,
    validTrials: trials.filter(({ verdict }) => verdict === 'valid').length,
  };
}

async function collectCell(
  run: number,
  { directory }: AnalysedRun,
  cell: Cell,
  pathOf: (path: string) => string,
): Promise<ReportedCell> {
  const profilesOf = async (trial: CellTrial) => {
    const folder = join(directory, trial.directory, 'profiles');
    const names = await Array.fromAsync(glob('*.cpuprofile', { cwd: folder }));
    return names.sort().map((file) => pathOf(join(folder, file)));
  };
  const ran = cell.ran.map(async (trial) => ({ ...trial, cpuProfiles: await profilesOf(trial) }));
  return { ...cell, run, ran: await Promise.all(ran) };
}

/** The trials that are not in the figures: those that have not run, and those that do not count. */
function problemsOf({ plan, cells }: AnalysedRun, directory: string): string[] {
  const trials = cells.flatMap(({ name, ran }) => ran.map((trial) => ({ cell: name, ...trial })));
  const excluded = trials.filter(({ verdict }) => verdict !== 'valid');
  const missing = plan.trials.length - trials.length;
  const run = nameOf({ plan }, directory);
  return [
    ...(missing > 0 ? [`${run}: ${missing} of ${plan.trials.length} planned trials have not run`] : []),
    ...(excluded.length > 0
      ? [`${run}: ${excluded.length} of ${trials.length} trials are left out of the figures`]
      : []),
    ...excluded.map(
      ({ cell, trial, verdict, messages }) =>
        `${run}: ${cell}, trial ${trial} is ${verdict}: ${reasonsOf(messages).join('; ')}`,
    ),
    ...trials.flatMap(({ cell, trial, messages }) =>
      notesOf(messages).map((note) => `${run}: ${cell}, trial ${trial}: ${note}`),
    ),
  ];
}

function nameOf({ plan }: Pick<AnalysedRun, 'plan'>, directory: string): string {
  return directory === '.' ? plan.experiment.name : `${plan.experiment.name} (${directory})`;
}

function refuseRepetition(directories: readonly string[]): void {
  const paths = directories.map((directory) => resolve(directory));
  const twice = directories.find((_, index) => paths.indexOf(paths[index]!) < index);
  if (twice !== undefined) throw new UserError(`${twice} is given twice; give each run once`);
}

/** Lines that bear one name look comparable; where the conditions differ, they are not. */
function refuseMixture(runs: readonly AnalysedRun[]): void {
  for (const [index, a] of runs.entries()) {
    for (const b of runs.slice(index + 1)) {
      if (a.plan.experiment.name !== b.plan.experiment.name) continue;
      const differing = differingConditions(a.plan, b.plan);
      if (differing.length === 0) continue;
      throw new UserError(
        `${a.directory} and ${b.directory} are both called "${a.plan.experiment.name}", but were made under different conditions:\n${differing.map((each) => `  ${each}`).join('\n')}\nReport on them one at a time, and give experiments names of their own.`,
      );
    }
  }
}
