/** A run of two versions by turns (`--against`): each half is a run folder of its own within the run's. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findFrameworks } from '../../frameworks/discover.ts';
import { clearUpAfter } from '../../infra/process/clear-up.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { AGAINST_FILE, HALVES, PLAN_FILE, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { UserError } from '../../results/user-error.ts';
import type { Runner } from '../fleets/runner.ts';
import { type Base, type Checkout, checkoutOf, differingMeasures, openBase } from './base.ts';
import { openTypingPart, type RunOptions, type RunSettings, type TypingPart } from './typing-part.ts';

type HalvesOptions = RunOptions & { base: string; plan: readonly PlannedTrial[]; grows: boolean };

/**
 * The parts of a run against a base: base, then new.
 *
 * @param options.base a folder that holds the project, or what git knows a commit by
 * @throws UserError (2) if the folder holds another run, or none to resume
 */
export async function openHalves(options: HalvesOptions, settings: RunSettings): Promise<TypingPart[]> {
  const { directory, observer, signal } = options;
  refuseOtherRun(options);
  const checkouts: { base?: Checkout; new?: Checkout } = {};
  const base = await openHalf('base', options, settings);
  const fresh = await openHalf('new', options, settings);
  const openInBase = async () => {
    const open = settings.openBase ?? openBase;
    const opened = await open(options.base, { root: PROJECT_ROOT, say: observer.onNotice, signal });
    checkouts.base = opened.checkout;
    try {
      await checkBase(options, opened);
      const runner = withSources(await base.open(opened.root), opened.checkout);
      return { ...runner, close: () => runner.close().finally(opened.release) };
    } catch (error) {
      return clearUpAfter(error, { clearUp: opened.release, say: observer.onNotice });
    }
  };
  const openHere = async () => {
    checkouts.new = await checkoutOf(PROJECT_ROOT, null);
    return withSources(await fresh.open(PROJECT_ROOT), checkouts.new);
  };
  const begin: TypingPart['folder']['begin'] = async (environment, say) => {
    await fresh.folder.begin(environment, say);
    await writeJson(join(directory, AGAINST_FILE), { schemaVersion: 1, ...checkouts });
  };
  return [
    { ...base, open: openInBase },
    { ...fresh, folder: { toRun: fresh.folder.toRun, begin }, open: openHere },
  ];
}

/** A run shows the summary of its new half only. */
async function openHalf(half: keyof typeof HALVES, options: HalvesOptions, settings: RunSettings): Promise<TypingPart> {
  const directory = join(options.directory, HALVES[half]);
  // A run that was stopped before it wrote this half's plan has not begun with it.
  const resume = options.resume && existsSync(join(directory, PLAN_FILE));
  const observer = half === 'new' ? options.observer : { ...options.observer, onSummary: undefined };
  return { ...(await openTypingPart({ ...options, directory, resume, observer }, settings)), name: half };
}

/** A run that is resumed must go on with the same two versions: the environment of each tells its sources, too. */
function withSources(runner: Runner, { sources }: Checkout): Runner {
  return { ...runner, environment: { ...runner.environment, sources } };
}

function refuseOtherRun({ directory, resume }: RunOptions): void {
  if (existsSync(join(directory, PLAN_FILE))) {
    throw new UserError(`${directory} holds a run of one version; a run against another takes another --out`, {
      exitCode: 2,
    });
  }
  if (!resume || Object.values(HALVES).some((half) => existsSync(join(directory, half, PLAN_FILE)))) return;
  throw new UserError(
    `${directory} holds no run against another version to resume: there is no ${PLAN_FILE} in ${HALVES.base}/ or ${HALVES.new}/`,
    { exitCode: 2 },
  );
}

/** Refuses a base that lacks a framework, before anything starts. */
async function checkBase({ experiment, observer }: RunOptions, { root, checkout }: Base): Promise<void> {
  await findFrameworks(experiment.frameworks, root).catch((error: UserError) => {
    throw new UserError(`in the base ${checkout.named}: ${error.message}`, { exitCode: error.exitCode, cause: error });
  });
  const measures = await differingMeasures(PROJECT_ROOT, root);
  if (measures.length === 0) return;
  const others = measures.length === 1 ? '' : ` and ${measures.length - 1} more files`;
  observer.onNotice(`note: what measures differs too, so what changed may be the measuring: ${measures[0]}${others}`);
}
