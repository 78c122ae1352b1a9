/** `demo` and `quick`: an answer in minutes, without an experiment file. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { readComparedRun } from '../analysis/compare/compared-run.ts';
import { quickestOf } from '../analysis/compare/quickest.ts';
import { MIN_TRIALS } from '../analysis/statistics/interval.ts';
import { loadExperiment } from '../harness/experiment/experiment-file.ts';
import type { Override } from '../harness/experiment/experiment-options.ts';
import { startAndLeave } from '../infra/process/child.ts';
import { REPORT_FILE } from '../results/formats/run-directory.ts';
import { parseCount } from './parse-number.ts';
import { addRunOptions, type Outcome, print, type RunFlags, runTyping, WIDE_OPTION } from './run-command.ts';

interface QuickFlags extends RunFlags {
  users?: number;
  careful?: boolean;
  open: boolean;
}

const CAREFUL = 'add --careful';

export function addDemoCommand(program: Command): void {
  addQuickOptions(
    program.command('demo').description('four people type with two libraries: an answer in under two minutes'),
  ).action(async (flags: QuickFlags) => {
    const outcome = await runTyping(await loadExperiment({ path: 'demo' }), flags);
    show({ ...outcome, answer: [...outcome.answer, 'Your own question: ./scriptorium quick yjs loro sharedb'] }, flags);
  });
}

export function addQuickCommand(program: Command): void {
  addQuickOptions(
    program
      .command('quick')
      .description('which of these frameworks is quickest: about a minute each, without an experiment file')
      .argument('<frameworks...>', 'frameworks as in an experiment, such as yjs loro sharedb')
      .option('--users <number>', 'users who type into one document (default: 8)', parseCount)
      .option('--careful', `${MIN_TRIALS} rounds by turns, which tell a difference from chance`),
  ).action(async (frameworks: string[], flags: QuickFlags) => {
    const { users, careful = false } = flags;
    const overrides: Override[] = [
      {
        flag: '<frameworks>',
        path: ['frameworks'],
        value: [...new Set(frameworks.flatMap((each) => each.split(',')))],
      },
      ...(users === undefined ? [] : [{ flag: '--users', path: ['users'], value: users }]),
      ...(careful ? [{ flag: '--careful', path: ['trials'], value: MIN_TRIALS }] : []),
    ];
    const outcome = await runTyping(await loadExperiment({ path: 'quick', overrides }), flags);
    const answer = [...outcome.answer, ...quickestOf(await readComparedRun(outcome.directory), CAREFUL)];
    show({ ...outcome, answer }, flags);
  });
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
