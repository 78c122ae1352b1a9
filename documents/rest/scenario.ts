/** Scenario `rest`: what it costs to keep each edit of a document in an embedded store, and to have the document back. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readyProjectPackages } from '../../frameworks/packages/project-packages.ts';
import type { RestExperiment } from '../../harness/experiment/document-experiments.ts';
import { namingFullDisk } from '../../harness/probes/disk.ts';
import { UserError } from '../../results/user-error.ts';
import { measuringCommand } from '../measuring-process.ts';
import { traceOfOneAuthor } from '../replay/edit-files.ts';
import { writeEdits } from '../replay/edits.ts';
import { combinations, type OpenScenario, type ScenarioContext, type ScenarioKind } from '../scenario.ts';
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
  cells: ({ stores, ways, sizes, durable }) => combinations({ store: stores, way: ways, edits: sizes, durable }),
  estimateMs(experiment, { way, edits, durable }) {
    const { start, fill, rewrite, sync } = ESTIMATE_MS;
    const writeMs = (way === 'rewrite' ? rewrite * edits : 0) + (durable === 'yes' ? sync : 0);
    return start + fill * edits + writeMs * measuredEdits(experiment, way);
  },
  open,
};

async function open(experiment: RestExperiment, { folder, say }: ScenarioContext): Promise<OpenScenario<Of>> {
  await readyProjectPackages(packagesOf(experiment), { say });
  const edits = join(folder, 'edits');
  const full = { directory: folder, remedy: 'set TMPDIR to a folder on another disk' };
  await namingFullDisk(full, () => writeDocument(edits, experiment));
  const { compactEvery, limitMs } = experiment;
  return {
    versionOf: ({ store, way }) => `${storeVersion(store)}, ${wayVersion(way)}`,
    async runTrial({ edits: size, durable, ...of }, { directory: ofTrial, measure }) {
      const directory = join(ofTrial, 'store');
      const measured = measuredEdits(experiment, of.way);
      const task = { ...of, durable: durable === 'yes', directory, edits, size, measured, compactEvery };
      // An earlier attempt at this trial may have been killed.
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory);
      try {
        for (const step of STEPS) await measure(measuringCommand(MAIN, { step, ...task } satisfies RestTask), limitMs);
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
  };
}

/** The document's edits, which all trials read. @throws UserError (2) if the trace has too few, or several authors */
async function writeDocument(path: string, experiment: RestExperiment): Promise<void> {
  const { trace: name, sizes, ways } = experiment;
  const trace = await traceOfOneAuthor(name);
  const size = Math.max(...sizes);
  const needed = size + Math.max(...ways.map((way) => measuredEdits(experiment, way)));
  const { count } = await writeEdits(path, trace, { atMost: needed });
  if (count >= needed) return;
  const inWords = (number: number) => number.toLocaleString('en');
  throw new UserError(
    `the trace "${name}" has ${inWords(count)} edits, but size ${size} needs ${inWords(needed)}, the measured ones among them: ` +
      'write smaller sizes, or take a longer one, such as --trace automerge-paper (./scriptorium traces fetch automerge-paper)',
  );
}

function measuredEdits({ edits, compactEvery }: RestExperiment, way: WayName): number {
  return way === 'compact' ? Math.max(edits, MEASURED_COMPACTIONS * compactEvery) : edits;
}
