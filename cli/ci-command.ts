/** `ci`: a change of a library against its base, in turns on one machine, with an answer for people and for pipelines. */
import { globSync } from 'node:fs';
import { access, constants, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import {
  CI_EXIT_CODES,
  type CiReport,
  type ConformanceFinding,
  refusalOf,
  reportOf,
} from '../analysis/ci/ci-report.ts';
import { compareForCi, DEFAULT_THRESHOLDS, defaultThresholds } from '../analysis/ci/ci-rule.ts';
import { formatAnnotations, formatCiMarkdown, formatJunit } from '../analysis/ci/ci-texts.ts';
import { type Comparison, readComparedRun } from '../analysis/compare/compared-run.ts';
import { toBencher, toGithubActionBenchmark } from '../analysis/compare/format.ts';
import type { Threshold } from '../analysis/compare/threshold.ts';
import { outsideEngine } from '../documents/engines/load.ts';
import { type BaseAndChange, openBaseAndChange } from '../frameworks/base.ts';
import { KEPT_WORLDS } from '../frameworks/check/kept-worlds.ts';
import { explore, type WorldFinding } from '../frameworks/explore/explore.ts';
import type { Framework } from '../frameworks/framework.ts';
import {
  type LoadedDocuments,
  loadAnyExperiment,
  loadExperiment,
  type TypingExperiment,
} from '../harness/experiment/experiment-file.ts';
import { makePlan, planTrial } from '../harness/experiment/plan.ts';
import { formatDuration } from '../harness/experiment/units.ts';
import { runExperiment } from '../harness/run/run.ts';
import { inTurns } from '../harness/run/run-trials.ts';
import { shortPath } from '../infra/project.ts';
import { plainText, shellCommand } from '../results/foreign-text.ts';
import { PLAN_FILE, type PlannedTrial } from '../results/formats/run-directory.ts';
import { makeFolder, writeJson } from '../results/formats/write-file.ts';
import { asReason, readEnvironment } from '../results/run-folder/run-files.ts';
import { clearUpAfter, messageOf, Unavailable, UserError } from '../results/user-error.ts';
import { check, SEED } from './check-command.ts';
import { collectThreshold } from './compare-command.ts';
import { keepFinding, seedByClock } from './explore-command.ts';
import { Interrupted, runInterruptibly, STOPPING } from './interrupt.ts';
import { parseTime } from './parse-number.ts';
import { runScenario } from './run-command.ts';
import { say } from './terminal.ts';
import { outputDirectory, runWatched } from './watched-run.ts';

/** Profiles by their names: the experiment of typing, and if conformance is checked in full. */
const PROFILES: Readonly<Record<string, { typing: string; isBrief: boolean }>> = {
  quick: { typing: 'ci-quick', isBrief: true },
  careful: { typing: 'ci-careful', isBrief: false },
};

interface CiFlags {
  base: string;
  profile: string;
  build?: string;
  failIf?: Threshold[];
  out?: string;
  quiet?: boolean;
  explore?: number;
}

export function addCiCommand(program: Command): void {
  program
    .command('ci')
    .description('measure a change of a library against its base in turns: the answer to a pull request')
    .argument('<framework>', 'the change: a folder or a package that holds a framework, or NAME@VERSION of the project')
    .requiredOption('--base <base>', 'a branch, tag or commit; a version of the package, such as 1.2.3; or published')
    .option('--profile <profile>', `${Object.keys(PROFILES).join(', ')}, or an experiment file of your own`, 'quick')
    .option('--build <command>', 'builds the library; run in the top folder of the change’s checkout and of the base’s')
    .option(
      '--fail-if <threshold>',
      `what counts as a regression, instead of ${DEFAULT_THRESHOLDS.map((each) => `"${each}"`).join(', ')}; repeatable`,
      collectThreshold,
    )
    .option(
      '--explore <time>',
      'also explore the change for this long, such as 2m; a bug that is found makes it broken',
      parseTime,
    )
    .option('-o, --out <folder>', 'folder for the answer and the runs (default: results/ci/<time> in the project)')
    .option('-q, --quiet', 'no progress of typing on stderr, but for what goes wrong')
    .addHelpText('after', `\n${FILES}`)
    .action(async (framework: string, flags: CiFlags) => {
      const directory = await outputDirectory('ci', flags.out);
      // Before anything is built or measured.
      makeFolder(directory);
      await access(directory, constants.W_OK);
      if (globSync(`*/${PLAN_FILE}`, { cwd: directory }).length > 0) {
        throw new UserError(
          `${directory} holds an earlier answer and its runs; give another folder with --out, or remove it`,
        );
      }
      const { profile, base, build } = flags;
      const repeat = ['./scriptorium', 'ci', framework, '--base', base, '--profile', profile];
      const options = [
        ...(build === undefined ? [] : ['--build', build]),
        ...(flags.failIf ?? []).flatMap(({ text }) => ['--fail-if', text]),
        ...(flags.explore === undefined ? [] : ['--explore', formatDuration(flags.explore)]),
      ];
      const about = {
        ...{ written: framework, subject: framework, base, profile },
        repeat: shellCommand([...repeat, ...options]),
      };
      try {
        const { report, comparison } = await answer(about, flags, directory);
        await writeAnswer(directory, report, comparison);
        process.exitCode = CI_EXIT_CODES[report.outcome];
      } catch (error) {
        // A comment tells what stands in the way, too.
        if (error instanceof Interrupted) throw error;
        const clearUp = () => writeAnswer(directory, refusalOf(messageOf(error), about), null);
        await clearUpAfter(error, { clearUp, say });
      }
    });
}

const FILES = `Files in the folder:
  comment.md       the answer, in Markdown
  junit.xml        the same as test cases
  ci.json          the same for programs
  annotations.txt  workflow commands of GitHub
  bencher.json, github-action-benchmark.json   the figures of the change
  typing/, replay/, state/   the runs, each with its report.html`;

type About = Pick<CiReport, 'written' | 'subject' | 'base' | 'profile' | 'repeat'>;

async function answer(
  about: About,
  flags: CiFlags,
  directory: string,
): Promise<{ report: CiReport; comparison: Comparison | null }> {
  // Server, users and the machine's own work would wait for each other, which no interval tells.
  if (availableParallelism() < 2) {
    throw new Unavailable('this machine has one core, and a comparison needs two at least; choose a larger runner');
  }
  // A profile that is none is told before anything is built.
  const profile = PROFILES[flags.profile] ?? { typing: flags.profile, isBrief: true };
  await loadExperiment({ path: profile.typing });
  const opened = await runInterruptibly(STOPPING, (signal) =>
    openBaseAndChange({ framework: about.subject, base: flags.base, build: flags.build ?? null, say, signal }),
  );
  try {
    const subject = { ...about, subject: opened.change.name, base: opened.baseText };
    const notes = notesOf(opened);
    const checked = await check([opened.change.name], { only: [], seed: SEED, brief: profile.isBrief });
    const explored = flags.explore === undefined ? [] : await exploreChange(opened.change, flags.explore, directory);
    const conformance = [
      ...checked.flatMap(({ mode, findings }) => findings.map((finding) => ({ mode, ...finding }))),
      ...explored,
    ];
    if (conformance.some(({ outcome }) => outcome === 'fails')) {
      // Speed of what is wrong says nothing.
      const unmeasured = [...notes, 'figures were not measured, since the change does not conform'];
      const nothing = { comparison: null, thresholds: [], environment: {} };
      return { report: reportOf({ ...subject, ...nothing, conformance, notes: unmeasured }), comparison: null };
    }
    const runs = await measure(opened, { ...flags, typing: profile.typing, directory, notes });
    const compared = await Promise.all(runs.map(readComparedRun));
    const names = { base: opened.base.name, change: opened.change.name };
    const comparison = compareForCi(compared, { ...names, gated: flags.failIf });
    const environment = await readEnvironment(runs[0]!);
    const thresholds = flags.failIf ?? defaultThresholds(comparison);
    const report = reportOf({ ...subject, comparison, thresholds, environment, conformance, notes });
    return { report, comparison };
  } finally {
    await opened.release();
  }
}

/** Findings of worlds, as properties; worlds, stories and pictures go into the folder `explore`. */
async function exploreChange(change: Framework, forMs: number, directory: string): Promise<ConformanceFinding[]> {
  const seed = seedByClock();
  say(`exploring ${change.name}, seed ${seed}`);
  const kept: WorldFinding[] = [];
  const folder = join(directory, 'explore');
  const onFinding = (finding: WorldFinding) => keepFinding(finding, { folder, kept });
  const { why, known } = await runInterruptibly(STOPPING, (signal) =>
    explore(change, { seed, forMs, signal, say, onFinding }),
  );
  const of = { mode: 'node', property: KEPT_WORLDS.id } as const;
  if (why !== null) return [{ ...of, outcome: 'not supported', message: why }];
  const failed = kept.map(
    ({ broken }) => ({ ...of, outcome: 'fails', message: `${broken.invariant}: ${broken.text}` }) as const,
  );
  const issues = [...known.keys()].map((summary) => ({ ...of, outcome: 'known issue', message: summary }) as const);
  const all = [...failed, ...issues];
  return all.length > 0 ? all : [{ ...of, outcome: 'holds', message: null }];
}

function notesOf({ base, change, baseText, isFolderLent }: BaseAndChange): string[] {
  const engines = [base, change].filter(({ name }) => outsideEngine(name) !== null);
  return [
    ...(isFolderLent
      ? [`${baseText} has no such framework: the change’s is measured with the library of the base`]
      : []),
    ...(engines.length === 2
      ? []
      : ['no trace is replayed by the library alone: that takes engine.ts in the framework’s folder']),
  ];
}

/** @returns the folders of the runs, the one of typing first */
async function measure(
  { base, change }: BaseAndChange,
  options: CiFlags & { typing: string; directory: string; notes: string[] },
): Promise<string[]> {
  const { directory, typing: path, quiet, notes } = options;
  const names = [base.name, change.name];
  const loaded = await loadExperiment({
    path,
    overrides: [{ flag: '<framework>', path: ['frameworks'], value: names }],
  });
  const typing = join(directory, 'typing');
  const plan = planInTurns(loaded, base.name, change.name);
  const run = { ...loaded, directory: typing, plan, canResume: false, quiet };
  await runWatched(run, (watched) => runExperiment({ ...run, ...watched, resume: false, show: false }));
  const hasEngines = names.every((name) => outsideEngine(name) !== null);
  const replay = hasEngines ? [await runDocument('replay', { engines: names }, directory)] : [];
  const state = await asReason(async () => [await runDocument('state', { engines: [], run: typing }, directory)]);
  if (typeof state !== 'string') return [typing, ...replay, ...state];
  notes.push(`no saved state was loaded: ${state}`);
  return [typing, ...replay];
}

/** Each trial of the base beside that of the change; they take turns in coming first. */
export function planInTurns(
  { experiment, frameworks }: Pick<TypingExperiment, 'experiment' | 'frameworks'>,
  base: string,
  change: string,
): PlannedTrial[] {
  const cells = makePlan({ ...experiment, frameworks: [base] }, frameworks);
  return inTurns(cells, [{ name: base }, { name: change }]).map(({ planned, part }) =>
    planTrial(experiment, { ...planned, framework: part.name }),
  );
}

async function runDocument(scenario: 'replay' | 'state', of: object, directory: string): Promise<string> {
  const loaded = await loadAnyExperiment({ path: `ci-${scenario}` });
  const out = join(directory, scenario);
  await runScenario({ ...loaded, experiment: { ...loaded.experiment, ...of } } as LoadedDocuments, { out });
  return out;
}

async function writeAnswer(directory: string, report: CiReport, comparison: Comparison | null): Promise<void> {
  const markdown = formatCiMarkdown(report);
  await writeJson(join(directory, 'ci.json'), report);
  await writeFile(join(directory, 'comment.md'), `${markdown}\n`);
  await writeFile(join(directory, 'junit.xml'), formatJunit(report));
  await writeFile(join(directory, 'annotations.txt'), formatAnnotations(report));
  if (comparison !== null) {
    await writeJson(join(directory, 'bencher.json'), toBencher(comparison));
    await writeJson(join(directory, 'github-action-benchmark.json'), toGithubActionBenchmark(comparison));
  }
  console.log(`${plainText(markdown)}\n\nResults: ${shortPath(directory)}`);
}
