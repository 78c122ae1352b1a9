/** `demo` and `quick`: an answer in minutes, without an experiment file. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { readComparedRun } from '../analysis/compare/compared-run.ts';
import { quickestOf } from '../analysis/compare/quickest.ts';
import { countOf } from '../analysis/figures/figure-text.ts';
import { MIN_TRIALS } from '../analysis/statistics/interval.ts';
import { loadExperiment, type TypingExperiment } from '../harness/experiment/experiment-file.ts';
import type { Override } from '../harness/experiment/experiment-options.ts';
import { estimatePlanMs, makePlan, usersCarried } from '../harness/experiment/plan.ts';
import { formatAbout, formatDuration } from '../harness/experiment/units.ts';
import { judgedMeasureMs } from '../harness/max/needed-sigils.ts';
import { startAndLeave } from '../infra/process/child.ts';
import { REPORT_FILE } from '../results/formats/run-directory.ts';
import { parseUsers } from './parse-number.ts';
import { addRunOptions, type Outcome, print, type RunFlags, runTyping, WIDE_OPTION } from './run-command.ts';
import { sayUnless } from './terminal.ts';

interface QuickFlags extends RunFlags {
  users?: number;
  careful?: boolean;
  open: boolean;
}

const CAREFUL = 'add --careful';
/** Eight users, where the machine carries them. Four leave half of two cores to any library, so that figures are its own. */
const USERS = [8, 4];

export function addDemoCommand(program: Command): void {
  addQuickOptions(
    program.command('demo').description('four people type with two libraries: an answer in about two minutes'),
  ).action(async (flags: QuickFlags) => {
    const outcome = await runTyping(withItsMarkers(await loadExperiment({ path: 'demo' }), flags), flags);
    show({ ...outcome, answer: [...outcome.answer, 'Your own question: ./scriptorium quick yjs loro sharedb'] }, flags);
  });
}

export function addQuickCommand(program: Command): void {
  addQuickOptions(
    program
      .command('quick')
      .description('which of these frameworks is quickest: about a minute each, without an experiment file')
      .argument('<frameworks...>', 'frameworks as in an experiment, such as yjs loro sharedb')
      .option(
        '--users <number>',
        `users who type into one document (default: ${USERS[0]}, or fewer if the cores carry fewer)`,
        parseUsers,
      )
      .option('--careful', `${MIN_TRIALS} rounds in turns, which tell a difference from chance`),
  ).action(async (frameworks: string[], flags: QuickFlags) => {
    // Their answer is on the others' screens, so two at least.
    const { users = USERS.find((count) => count <= usersCarried('optquill')) ?? 2, careful = false } = flags;
    const overrides: Override[] = [
      {
        flag: '<frameworks>',
        path: ['frameworks'],
        value: [...new Set(frameworks.flatMap((each) => each.split(',')))],
      },
      { flag: '--users', path: ['users'], value: users },
      ...(careful ? [{ flag: '--careful', path: ['trials'], value: MIN_TRIALS }] : []),
    ];
    const outcome = await runTyping(withItsMarkers(await loadExperiment({ path: 'quick', overrides }), flags), flags);
    const answer = [...outcome.answer, ...quickestOf(await readComparedRun(outcome.directory), CAREFUL)];
    show({ ...outcome, answer }, flags);
  });
}

/** Measures for as long as its users need before both criteria can be judged, and says so if it is longer. */
export function withItsMarkers(loaded: TypingExperiment, { quiet = false }: Pick<RunFlags, 'quiet'>): TypingExperiment {
  const { experiment } = loaded;
  const { durations, users } = experiment;
  const measureMs = judgedMeasureMs(experiment);
  if (measureMs === durations.measureMs) return loaded;
  const longer = { ...experiment, durations: { ...durations, measureMs } };
  const plan = makePlan(longer, loaded.frameworks);
  const inAll = formatAbout(estimatePlanMs(longer, plan));
  const why = `${countOf(Math.min(...users), 'user')} take ${formatDuration(measureMs)} to type enough markers`;
  const note = `${why}: ${countOf(plan.length, 'trial')}, ${inAll} at most`;
  sayUnless(quiet)(note);
  return { ...loaded, experiment: longer };
}

function addQuickOptions(command: Command): Command {
  return addRunOptions(command)
    .option(...WIDE_OPTION)
    .option('--no-open', 'do not open the report in a browser when the run has ended');
}

/** On a desktop the report opens; elsewhere its name is enough. */
function show(outcome: Outcome, flags: QuickFlags): void {
  print(outcome, flags);
  const opener = flags.open && flags.json !== true ? openerHere() : null;
  if (opener !== null) startAndLeave(opener, [join(outcome.directory, REPORT_FILE)]);
}

/** The program that opens a file in the person's browser; null without a terminal or a desktop. */
function openerHere(): string | null {
  if (process.stdout.isTTY !== true) return null;
  if (process.platform === 'darwin') return 'open';
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? 'xdg-open' : null;
}
