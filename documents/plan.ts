/** The plan of a document scenario's experiment: its trials in the order in which they run. */
import type { DocumentExperiment } from '../harness/experiment/document-experiments.ts';
import { MOST_TRIALS } from '../harness/experiment/experiment.ts';
import type { LoadedDocuments } from '../harness/experiment/experiment-file.ts';
import { derivedSeed, shuffled } from '../harness/experiment/plan.ts';
import { formatAbout } from '../harness/experiment/units.ts';
import type { Parameters } from '../results/formats/documents.ts';
import type { DocumentTrial } from '../results/formats/run-directory.ts';
import { alignTable } from '../results/text-table.ts';
import { UserError } from '../results/user-error.ts';
import { loadScenario } from './scenario.ts';

/**
 * Every cell's first trial in the file's order, then every cell's second, and so on, each later round in an order of its own,
 * which the seed decides, so that what runs before a cell is not always the same.
 *
 * @param say gets what the experiment asks for and cannot have
 * @throws UserError (2) if there is nothing to run, or too much
 */
export async function planDocuments(
  { experiment, frameworks }: Pick<LoadedDocuments, 'experiment' | 'frameworks'>,
  say: (text: string) => void,
): Promise<DocumentTrial[]> {
  const kind = await loadScenario(experiment.scenario);
  const cells = await kind.cells(experiment, { frameworks, say });
  if (cells.length === 0) {
    throw new UserError(`${experiment.name} has no cell: nothing of what it names offers what it asks for`);
  }
  const count = cells.length * experiment.trials;
  if (count > MOST_TRIALS) {
    throw new UserError(`${experiment.name} has ${count} trials; plan ${MOST_TRIALS} at most`);
  }
  return Array.from({ length: experiment.trials }, (_, index) => index + 1).flatMap((trial) => {
    const seed = derivedSeed(experiment.seed, trial);
    return (trial === 1 ? cells : shuffled(cells, seed)).map((of) => {
      const cell = cellName(of);
      return { cell, of, trial, seed, directory: `trials/${cell}-${trial}` };
    });
  });
}

/** About how long all trials take, ms. */
export async function estimateDocumentsMs(
  experiment: DocumentExperiment,
  plan: readonly DocumentTrial[],
): Promise<number> {
  const kind = await loadScenario(experiment.scenario);
  return plan.reduce((sum, { of }) => sum + kind.estimateMs(experiment, of), 0);
}

/** The plan as text, for `scriptorium plan`. */
export async function formatDocumentPlan(
  experiment: DocumentExperiment,
  plan: readonly DocumentTrial[],
  { all = false }: { all?: boolean } = {},
): Promise<string> {
  const totalMs = await estimateDocumentsMs(experiment, plan);
  const shown = all ? plan : plan.filter(({ trial }) => trial === 1);
  // An empty document's cell does not name its edits.
  const names = [...new Set(plan.flatMap(({ of }) => Object.keys(of)))];
  const rows = shown.map(({ of, trial }) => [
    ...names.map((name) => String(of[name] ?? '–')),
    ...(all ? [String(trial)] : []),
  ]);
  const cells = plan.length / experiment.trials;
  return [
    `${experiment.name}: scenario ${experiment.scenario}, ${plan.length} trials, seed ${experiment.seed}`,
    '',
    alignTable([[...names, ...(all ? ['trial'] : [])], ...rows]),
    '',
    `${cells} cells, ${experiment.trials} trials of each: the first of every cell, then the second of every cell in random order, and so on`,
    `in all: about ${formatAbout(totalMs)}`,
  ].join('\n');
}

/** `yjs-updates-1`: what the cell's parameters are, in letters that any file system takes. */
function cellName(of: Parameters): string {
  return Object.values(of)
    .map((value) =>
      String(value)
        .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
        .replace(/^\.+/, ''),
    )
    .join('-');
}
