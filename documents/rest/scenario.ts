/** Scenario `rest`: what it costs to keep each edit of a document in an embedded store, and to have the document back. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readyProjectPackages } from '../../frameworks/packages/project-packages.ts';
import type { RestExperiment } from '../../harness/experiment/document-experiments.ts';
import { namingFullDisk } from '../../harness/probes/disk.ts';
import { runCommand } from '../../infra/process/child.ts';
import { UserError } from '../../results/user-error.ts';
import type { Trace } from '../../traces/format.ts';
import { resolveTrace } from '../../traces/store.ts';
import { measuringCommand } from '../measuring-process.ts';
import { writeEdits } from '../replay/edits.ts';
import type { OpenScenario, ScenarioContext, ScenarioKind, TrialContext } from '../scenario.ts';
import type { HistoryFiles } from './history.ts';
import type { RestTask } from './main.ts';
import { packagesOf, type StoreName, storeVersion, type WayName, wayVersion } from './stores.ts';

/** Parameters by which the cells differ; `edits`: how many the document holds before the measured ones. */
type Of = { store: StoreName; way: WayName; edits: number; durable: 'yes' | 'no' };

const MAIN = join(import.meta.dirname, 'main.ts');
/** First writes are measured, then, in a process that finds the store as it was left, reads. */
const STEPS = ['write', 'read'] as const;
/** Compacting is rare: so many are among the measured edits at least. */
const MEASURED_COMPACTIONS = 3;

/** For the plan only: starting both processes; filling, per edit; a state's rewriting, per edit that it has; syncing a write. */
const ESTIMATE_MS = { start: 1000, fill: 0.015, rewrite: 0.00003, sync: 0.4 };

export const scenario: ScenarioKind<RestExperiment, Of> = {
  cells: ({ stores, ways, sizes, durable }) =>
    stores.flatMap((store) =>
      ways.flatMap((way) =>
        sizes.flatMap((edits) => durable.map((each): Of => ({ store, way, edits, durable: each }))),
      ),
    ),
  estimateMs(experiment, { way, edits, durable }) {
    const { start, fill, rewrite, sync } = ESTIMATE_MS;
    const writeMs = (way === 'rewrite' ? rewrite * edits : 0) + (durable === 'yes' ? sync : 0);
    return start + fill * edits + writeMs * measuredEdits(experiment, way);
  },
  open,
};

async function open(experiment: RestExperiment, { folder, signal, say }: ScenarioContext): Promise<OpenScenario<Of>> {
  await readyProjectPackages(packagesOf(experiment), { say });
  const trace = await resolveTrace(experiment.trace);
  const needed =
    Math.max(...experiment.sizes) + Math.max(...experiment.ways.map((way) => measuredEdits(experiment, way)));
  const full = { directory: folder, remedy: 'set TMPDIR to a folder on another disk' };
  const history = await namingFullDisk(full, () => makeHistory(folder, trace, { experiment, needed, signal }));
  return {
    versionOf: ({ store, way }) => `${storeVersion(store)}, ${wayVersion(way)}`,
    runTrial: (of, context) => runTrial(of, { experiment, history, ...context }),
  };
}

/** The history that all trials read. */
async function makeHistory(
  folder: string,
  trace: Trace,
  { experiment, needed, signal }: { experiment: RestExperiment; needed: number; signal: AbortSignal },
): Promise<HistoryFiles> {
  if (trace.kind === 'concurrent') {
    throw new UserError(
      `the trace "${experiment.trace}" has several authors, and what is kept here has one: take another with --trace, such as synthetic`,
      { exitCode: 2 },
    );
  }
  const history = { edits: join(folder, 'edits'), updates: join(folder, 'updates') };
  const { count } = await writeEdits(history.edits, trace, { atMost: needed });
  if (count < needed) throw tooShortError(experiment, { count, needed });
  const task: RestTask = { step: 'updates', history };
  await runCommand(measuringCommand(MAIN, task), { signal });
  return history;
}

function tooShortError(
  { trace, sizes }: RestExperiment,
  { count, needed }: { count: number; needed: number },
): UserError {
  const inWords = (number: number) => number.toLocaleString('en');
  const size = Math.max(...sizes);
  return new UserError(
    `the trace "${trace}" has ${inWords(count)} edits, but size ${size} needs ${inWords(needed)}, the measured ones among them: ` +
      'write smaller sizes, or take a longer one, such as --trace automerge-paper (./scriptorium traces fetch automerge-paper)',
    { exitCode: 2 },
  );
}

function measuredEdits({ edits, compactEvery }: RestExperiment, way: WayName): number {
  return way === 'compact' ? Math.max(edits, MEASURED_COMPACTIONS * compactEvery) : edits;
}

async function runTrial(
  { store, way, edits: size, durable }: Of,
  shared: TrialContext & { experiment: RestExperiment; history: HistoryFiles },
): Promise<void> {
  const { experiment, history, measure } = shared;
  const directory = join(shared.directory, 'store');
  const task = {
    ...{ store, way, size, directory, history },
    durable: durable === 'yes',
    measured: measuredEdits(experiment, way),
    compactEvery: experiment.compactEvery,
  };
  // An earlier attempt at this trial may have been killed.
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory);
  try {
    for (const step of STEPS) {
      await measure(measuringCommand(MAIN, { step, ...task } satisfies RestTask), experiment.limitMs);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
