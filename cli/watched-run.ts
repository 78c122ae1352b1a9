/** A run as a person watches it: into a folder that is this run's alone, with progress on stderr, until Ctrl-C or its end. */
import { existsSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Frameworks } from '../frameworks/framework.ts';
import { backingNotes } from '../harness/experiment/backing.ts';
import type { Experiment } from '../harness/experiment/experiment.ts';
import { estimateTrialMs, planWarnings } from '../harness/experiment/plan.ts';
import { announceRun, otherRuns } from '../harness/machine/other-runs.ts';
import type { RunOptions } from '../harness/run/run.ts';
import { keepRunStatus } from '../harness/status/run-status-keeper.ts';
import { serveStatusPage } from '../harness/status/status-page.ts';
import type { Question } from '../harness/users/docs/documents.ts';
import { nowMs } from '../infra/clock.ts';
import { resultsFolder, shortPath } from '../infra/project.ts';
import { fileReason } from '../results/file-problem.ts';
import { HALVES, PLAN_FILE, type PlannedTrial } from '../results/formats/run-directory.ts';
import { makeFolder } from '../results/formats/write-file.ts';
import { ownRunFolder } from '../results/run-folder/run-owner.ts';
import { messageOf, Unavailable } from '../results/user-error.ts';
import { Interrupted, runInterruptibly } from './interrupt.ts';
import { quietProgress, showProgress, TimeLeft } from './progress.ts';
import { say as warn } from './terminal.ts';

/**
 * The folder of `--out`, or else a new one: `results/<experiment>/<UTC time>` (`resultsFolder`), with a number behind it if that one is taken.
 */
export async function outputDirectory(experiment: string, out: string | undefined): Promise<string> {
  if (out !== undefined) return resolve(out);
  const time = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  const runs = join(resultsFolder(), experiment);
  try {
    makeFolder(runs);
  } catch (cause) {
    throw new Unavailable(
      `cannot write results to ${runs} (${fileReason(cause) ?? messageOf(cause)}); make that folder writable, or name another one with --out or in SCRIPTORIUM_RESULTS`,
      { cause },
    );
  }
  for (let number = 1; ; number++) {
    const directory = join(runs, number === 1 ? time : `${time}-${number}`);
    // Making it fails for the second of two who come at once.
    const isMade = await mkdir(directory).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (isMade) return directory;
  }
}

/**
 * Runs something that writes into a run's folder. The first Ctrl-C aborts its signal.
 *
 * @param options.say       confirms the interruption at once
 * @param options.canResume true if the command takes --resume
 * @throws UserError if another run owns the folder
 */
export async function runInto<T>(
  directory: string,
  { say, canResume }: { say: (text: string) => void; canResume: boolean },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const where = shortPath(directory);
  await using _around = emptiedAfter(dirname(directory));
  await using _owner = await ownRunFolder(directory);
  await using _announced = await announceRun();
  for (const pid of await otherRuns()) {
    warn(
      `warning: another run measures here (process ${pid}), and the figures of both suffer; wait until it has ended`,
    );
  }
  const next = canResume ? ` The same command with --out ${where} --resume goes on.` : '';
  const message = `Interrupted. Finished trials are kept in ${where}.${next}`;
  try {
    return await runInterruptibly({ message, confirm: () => say('Stopping every process…') }, run);
  } catch (error) {
    if (!(error instanceof Interrupted) || hasPlan(directory)) throw error;
    throw new Interrupted('Interrupted before the run began, so nothing of it is kept.');
  }
}

/** Of a run that is refused nothing is left: neither its folder, nor that of the experiment's runs, if it is empty then. */
function emptiedAfter(runs: string): AsyncDisposable {
  const isOurs = dirname(runs) === resultsFolder();
  return { [Symbol.asyncDispose]: async () => (isOurs ? rmdir(runs).catch(() => {}) : undefined) };
}

/** False as long as packages are installed, or machines come: there is nothing that could go on. */
function hasPlan(directory: string): boolean {
  return ['', ...Object.values(HALVES)].some((half) => existsSync(join(directory, half, PLAN_FILE)));
}

/** The same for trials in which people type, with their phases and figures, and with a status page. */
export async function runWatched<T>(
  options: {
    experiment: Experiment;
    frameworks: Frameworks;
    directory: string;
    plan: readonly PlannedTrial[];
    canResume: boolean;
    quiet?: boolean;
  },
  run: (watched: Pick<RunOptions, 'observer' | 'signal' | 'ask'>) => Promise<T>,
): Promise<T> {
  const { experiment, frameworks, directory, plan, canResume, quiet = false } = options;
  const left = new TimeLeft(plan.map((planned) => estimateTrialMs(experiment, planned)));
  const status = keepRunStatus({ experiment: experiment.name, directory: shortPath(directory), plan });
  const progress = quiet
    ? quietProgress(process.stderr)
    : showProgress(process.stderr, status.now, () => left.at(nowMs()));
  const observerOf = (address: string): RunOptions['observer'] => ({
    onNotice: progress.say,
    onWarning: progress.warn,
    onEnvironment(environment) {
      // Nothing can be refused any more. A search comes here again with each count.
      if (status.now().latest === null) {
        progress.say(`Running ${experiment.name}; watch it at ${address}`);
        for (const note of backingNotes(experiment, frameworks)) progress.say(note);
        for (const warning of planWarnings(experiment, plan)) progress.say(warning);
      }
      status.onEnvironment(environment);
    },
    onTrial(planned, index) {
      left.begin(index, nowMs());
      status.onTrial(planned, index);
    },
    onKept: status.onKept,
    onRecords: status.onRecords,
    onSummary: status.onSummary,
    onPhase(phase, endsAtMs) {
      status.onPhase(phase, endsAtMs);
      progress.onPhase(phase);
    },
    onVerdict(planned, verdict) {
      status.onVerdict(planned, verdict);
      progress.onVerdict(planned, verdict);
    },
  });
  const watch = async (signal: AbortSignal) => {
    const page = await serveStatusPage(status);
    const askPerson: RunOptions['ask'] = (question) => progress.whileAsking(() => ask(question, { signal }));
    try {
      const observer = observerOf(page.address);
      return await run({ signal, observer, ask: process.stdin.isTTY ? askPerson : null });
    } finally {
      status.onEnd();
      progress.stop();
      await page.stop();
    }
  };
  try {
    return await runInto(directory, { say: progress.say, canResume }, watch);
  } finally {
    progress.stop();
  }
}

/**
 * Asks until an answer was given.
 *
 * @param options.input source of the answers; by default the terminal
 * @throws the signal's reason if the run is interrupted, an Error if no more answers can come
 */
export async function ask(
  { text, what, isAnswer }: Question,
  options: { signal: AbortSignal; input?: NodeJS.ReadableStream; output?: NodeJS.WritableStream },
): Promise<string> {
  const { signal, input = process.stdin, output = process.stderr } = options;
  const terminal = createInterface({ input, output });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort(new Error(`no ${what} was given: the input ended`)));
  // Readline takes Ctrl-C for itself; the command's own handler is to have it.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  output.write(`${text}\n`);
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    for (;;) {
      const answer = (await terminal.question(`Its ${what}: `, { signal: either })).trim();
      if (isAnswer(answer)) return answer;
      output.write(`${JSON.stringify(answer)} is no ${what} of that form.\n`);
    }
  } catch (error) {
    throw either.aborted ? either.reason : error;
  } finally {
    terminal.close();
  }
}
