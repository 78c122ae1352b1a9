/** How often `ci` finds a slowdown that is there, and one that is not: a toy library against itself, made slower by a known share. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as prng from 'lib0/prng';
import type { CiOutcome, CiReport } from '../../analysis/ci/ci-report.ts';
import { compareForCi, defaultThresholds } from '../../analysis/ci/ci-rule.ts';
import { type ComparedRun, type Comparison, readComparedRun } from '../../analysis/compare/compared-run.ts';
import { describeChange } from '../../analysis/compare/format.ts';
import { judgeThresholds } from '../../analysis/compare/threshold.ts';
import { shareInterval95 } from '../../analysis/statistics/interval.ts';
import { Child } from '../../infra/process/child.ts';
import { makeTemporaryFolder } from '../../infra/process/made-once.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { makeToy, slowDown } from './slowed-toy.ts';

/** Figures that show how much slower the toy is. */
const EFFECTS = ['remoteEditsPerSecond', 'remoteBatchedEditsPerSecond'];
const DRAWS = 1000;
const SEED = 1;

/** One `ci`. */
interface Sitting {
  outcome: CiOutcome;
  reasons: string[];
  /** Empty if nothing was measured. */
  runs: ComparedRun[];
  of: { base: string; change: string };
}

/**
 * Shares take turns, so that a machine that changes its speed meets all alike.
 *
 * @param options.shares  slowdowns, 0 for equal versions
 * @param options.repeats of each, at most
 * @param options.forMs   no round of all shares begins that would probably end later
 * @returns a line for each: how often it was found, with its interval, and the same of drawn rounds
 */
export async function benchCi(options: {
  shares: readonly number[];
  repeats: number;
  profile: string;
  forMs: number;
}): Promise<string> {
  const { shares, repeats, profile, forMs } = options;
  const parent = await makeTemporaryFolder('run');
  const folder = await makeToy(parent);
  const sittings = new Map(shares.map((share) => [share, [] as Sitting[]]));
  const startMs = performance.now();
  const isTimeFor = (round: number) => (performance.now() - startMs) * (round / Math.max(1, round - 1)) <= forMs;
  for (let round = 1; round <= repeats && isTimeFor(round); round++) {
    for (const share of shares) {
      await slowDown(folder, share);
      const sitting = await sit(folder, { profile, out: join(parent, `${share}-${round}`) });
      sittings.get(share)!.push(sitting);
      console.error(`${slower(share)}, ${round} of ${repeats}: ${describeSitting(sitting)}`);
    }
  }
  return [...sittings].map(([share, of]) => summarize(share, of)).join('\n');
}

async function sit(folder: string, { profile, out }: { profile: string; out: string }): Promise<Sitting> {
  const command = [join(PROJECT_ROOT, 'scriptorium'), 'ci', folder, '--base', 'base', '--profile', profile];
  await new Child({ command: [...command, '--quiet', '--out', out] }).ended;
  const { outcome, reasons, subject }: CiReport = JSON.parse(await readFile(join(out, 'ci.json'), 'utf8'));
  const folders = ['typing', 'replay', 'state'].map((name) => join(out, name)).filter((each) => existsSync(each));
  const runs = await Promise.all(folders.map(readComparedRun));
  const subjects = runs.flatMap(({ cells }) => cells.map(({ parameters }) => String(Object.values(parameters)[0])));
  return { outcome, reasons, runs, of: { base: subjects.find((each) => each !== subject) ?? '', change: subject } };
}

function slower(share: number): string {
  return `${100 * share} % slower`;
}

function describeSitting({ outcome, reasons, runs, of }: Sitting): string {
  const cells = runs.length === 0 ? [] : compareForCi(runs, of).cells;
  const effects = cells.flatMap(({ figures }) =>
    figures
      .filter(({ figure }) => EFFECTS.includes(figure.name))
      .map((each) => [each.figure.label, describeChange(each)] as const)
      .map(([label, { change, interval }]) => `${label} ${change} (${interval} %)`),
  );
  return [outcome, ...effects, ...reasons].join('; ');
}

/** Of equal versions, every failure is false. */
function summarize(share: number, sittings: readonly Sitting[]): string {
  const outcomes = sittings.map(({ outcome }) => outcome);
  const isCounted = (outcome: CiOutcome) => outcome === 'regression' || (share === 0 && outcome === 'broken');
  const found = outcomes.filter(isCounted).length;
  const { low, high } = shareInterval95(found, outcomes.length);
  const counts = [...Map.groupBy(outcomes, (each) => each)].map(([outcome, { length }]) => `${length} ${outcome}`);
  const measured = sittings.filter(({ runs }) => runs.length > 0);
  const drawn =
    measured.length < 2
      ? ''
      : `; resampled: ${percent(resampledShare(measured))} of ${DRAWS} draws of as many rounds as one run has`;
  const counted = `${share === 0 ? 'false alarms' : 'found'} ${found} of ${outcomes.length}`;
  return `${slower(share)}: ${counted} (95 % interval ${percent(low)} to ${percent(high)}): ${counts.join(', ')}${drawn}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/**
 * Share of draws that are a regression by the rule of `ci`. A draw has as many rounds as one run, out of those of all
 * sittings. Draws share rounds, so their number says nothing about how certain the share is.
 */
function resampledShare(sittings: readonly Sitting[]): number {
  const random = prng.create(SEED);
  const { of, runs: first } = sittings[0]!;
  const pools = first.map(({ scenario }) =>
    sittings.flatMap(({ runs }) => runs.filter((run) => run.scenario === scenario)),
  );
  let found = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    if (
      isRegression(
        compareForCi(
          pools.map((pool) => drawRounds(pool, random)),
          of,
        ),
      )
    )
      found += 1;
  }
  return found / DRAWS;
}

function isRegression(comparison: Comparison): boolean {
  return judgeThresholds(comparison, defaultThresholds(comparison)).some(({ kind }) => kind === 'missed');
}

/** A run with rounds of several, each at most once. A round is the trials of one number: those of base and change. */
export function drawRounds(runs: readonly ComparedRun[], random: prng.PRNG): ComparedRun {
  const [first] = runs as [ComparedRun];
  const roundsOf = ({ cells }: ComparedRun) => new Set(cells.flatMap(({ trials }) => trials.map(({ trial }) => trial)));
  const waiting = runs.flatMap((run) => [...roundsOf(run)].map((trial) => ({ run, trial })));
  const drawn = Array.from(roundsOf(first), () => waiting.splice(prng.int31(random, 0, waiting.length - 1), 1)[0]!);
  const keyOf = ({ parameters }: ComparedRun['cells'][number]) => JSON.stringify(parameters);
  return {
    ...first,
    cells: first.cells.map((cell) => ({
      ...cell,
      trials: drawn.flatMap(({ run, trial: number }, index) =>
        run.cells
          .filter((each) => keyOf(each) === keyOf(cell))
          .flatMap(({ trials }) => trials.filter(({ trial }) => trial === number))
          .map((trial) => ({ ...trial, trial: index + 1 })),
      ),
    })),
  };
}
