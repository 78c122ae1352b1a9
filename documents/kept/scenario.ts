/** Scenario `kept`: what is still there after a server, its store or the power was struck while people typed. */
import { isStoreProgram } from '../../editors/base/stores.ts';
import { versionToday } from '../../frameworks/framework.ts';
import { readyNeeds } from '../../frameworks/needs.ts';
import { readyProjectPackages } from '../../frameworks/packages/project-packages.ts';
import { offersStore, packagesBehind } from '../../harness/experiment/backing.ts';
import { requirePrograms } from '../../harness/experiment/needed-programs.ts';
import { powerProblem, readySynced } from '../../infra/stores/power-loss.ts';
import { UserError } from '../../results/user-error.ts';
import { cacheDirectory } from '../../traces/cache-directory.ts';
import { combinations, type PlanContext, requireJoinable, type ScenarioKind } from '../scenario.ts';
import { openWrittenEdits } from '../written-edits.ts';
import { type Crash, type KeptCell, type KeptExperiment, measureKept } from './kept-trial.ts';

/** For the plan, as seen on two cores. */
const COSTS_MS = { trial: 8000, comingBack: 2000, before: 5000, edit: 1.5 };
/** Each trial starts its own. */
const OWN = { store: { url: null }, broker: null, fleet: { on: 'local' } } as const;

export const scenario: ScenarioKind<KeptExperiment, KeptCell> = {
  cells,
  estimateMs: ({ killFromMs, killToMs, downForMs }, cell) =>
    COSTS_MS.trial +
    (killFromMs + killToMs) / 2 +
    downForMs +
    (cell.left === 'none' ? 0 : COSTS_MS.comingBack) +
    (editsIn(cell) === 0 ? 0 : COSTS_MS.before + editsIn(cell) * COSTS_MS.edit),
  async open(experiment, context) {
    const { frameworks, say, folder, signal: ofRun } = context;
    const plan = await cells(experiment, { ...context, say: () => {} });
    await requirePrograms({ experiment: OWN, plan, frameworks });
    const servers = { counts: [1], attached: [] };
    await readyProjectPackages(packagesBehind({ ...experiment, servers }, frameworks), { say });
    await readyNeeds({ frameworks: [...frameworks.values()], say, signal: ofRun });
    const strikesPower = plan.some(({ struck }) => struck === 'power');
    const syncedLibrary = strikesPower ? await readySynced(folder, cacheDirectory()) : null;
    const edits = experiment.edits.filter((count) => count > 0);
    const fileOf = edits.length === 0 ? null : await openWrittenEdits({ ...experiment, edits }, context);
    return {
      versionOf: ({ framework }) => versionToday(frameworks.get(framework)!),
      async runTrial(cell, { seed, write, signal }) {
        const editsFile = editsIn(cell) === 0 ? null : await fileOf!(editsIn(cell));
        write(await measureKept({ ...experiment, ...cell, editsFile, seed, syncedLibrary, folder, signal }));
      },
    };
  },
};

function editsIn(cell: KeptCell): number {
  return 'edits' in cell ? cell.edits : 0;
}

/** A store that is a part of the server is struck with it. */
const NEEDS_PROGRAM: readonly KeptCell['struck'][] = ['store', 'both'];

async function cells(experiment: KeptExperiment, { frameworks, say }: PlanContext): Promise<KeptCell[]> {
  const { killFromMs, killToMs, stores, left, edits } = experiment;
  for (const [framework, { about }] of frameworks) requireJoinable('kept', framework, about);
  if (killFromMs > killToMs) {
    throw new UserError(
      `killFrom (${killFromMs / 1000}s) is later than killTo (${killToMs / 1000}s); write the earlier one first`,
    );
  }
  const problem = experiment.struck.includes('power') ? await powerProblem() : null;
  if (problem !== null) say(`"struck: power" is not offered here, and left out: ${problem}`);
  const asked = [...new Set(stores)];
  const lacking = [...frameworks.keys()].flatMap((framework) => {
    const others = asked.filter((store) => !offersStore(frameworks.get(framework), store));
    return others.length === 0 ? [] : [`${framework} in ${others.join(', ')}`];
  });
  if (lacking.length > 0) say(`not offered, and left out: ${lacking.join('; ')}`);
  const isOffered = ({ framework, store }: Pick<Crash, 'framework' | 'store'>) =>
    offersStore(frameworks.get(framework), store);
  if (![...frameworks.keys()].some((framework) => asked.some((store) => isOffered({ framework, store })))) {
    const offered = [...frameworks].map(
      ([name, { about }]) => `${name} in ${Object.keys(about.stores ?? {}).join(', ') || 'none'}`,
    );
    throw new UserError(
      `not offered: documents are kept by ${offered.join('; ')}, and by none in ${asked.join(' or ')}`,
    );
  }
  const struck = experiment.struck.filter((each) => each !== 'power' || problem === null);
  return combinations<Crash & { edits: number }>({ framework: frameworks.keys(), store: stores, struck, left, edits })
    .filter((of) => isOffered(of) && (isStoreProgram(of.store) || !NEEDS_PROGRAM.includes(of.struck)))
    .map(({ edits: count, ...crash }) => (count === 0 ? crash : { ...crash, edits: count }));
}
