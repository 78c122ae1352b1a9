/** Scenario `kept`: what is still there after a server, its store or the power was struck while people typed. */
import { isStoreProgram, type KeptStore } from '../../editors/base/stores.ts';
import { type Frameworks, versionToday } from '../../frameworks/framework.ts';
import { readyNeeds } from '../../frameworks/needs.ts';
import { readyProjectPackages } from '../../frameworks/packages/project-packages.ts';
import { findStoreProgram } from '../../infra/stores/find.ts';
import { powerProblem, readySynced } from '../../infra/stores/power-loss.ts';
import { UserError } from '../../results/user-error.ts';
import { cacheDirectory } from '../../traces/cache.ts';
import { type PlanContext, requireJoinable, type ScenarioContext, type ScenarioKind } from '../scenario.ts';
import { type KeptCell, type KeptExperiment, measureKept } from './kept-trial.ts';

/** For the plan, as seen on two cores. */
const COSTS_MS = { trial: 8000, comingBack: 2000 };

export const scenario: ScenarioKind<KeptExperiment, KeptCell> = {
  cells,
  estimateMs: ({ killFromMs, killToMs, downForMs }, { left }) =>
    COSTS_MS.trial + (killFromMs + killToMs) / 2 + downForMs + (left === 'none' ? 0 : COSTS_MS.comingBack),
  async open(experiment, context) {
    const { frameworks, say, folder, signal: ofRun } = context;
    await readyStores(experiment, context);
    await readyNeeds({ frameworks: [...frameworks.values()], say, signal: ofRun });
    const strikesPower = (await struckHere(experiment, () => {})).includes('power');
    const syncedLibrary = strikesPower ? await readySynced(folder, cacheDirectory()) : null;
    return {
      versionOf: ({ framework }) => versionToday(frameworks.get(framework)!),
      async runTrial(cell, { seed, write, signal }) {
        write(await measureKept({ ...experiment, ...cell, seed, syncedLibrary, folder, signal }));
      },
    };
  },
};

async function cells(experiment: KeptExperiment, { frameworks, say }: PlanContext): Promise<KeptCell[]> {
  const { killFromMs, killToMs, left } = experiment;
  for (const [framework, { about }] of frameworks) requireJoinable('kept', framework, about);
  if (killFromMs > killToMs) {
    throw new UserError(
      `killFrom (${killFromMs / 1000}s) is later than killTo (${killToMs / 1000}s); write the earlier one first`,
      { exitCode: 2 },
    );
  }
  const struck = await struckHere(experiment, say);
  const kept = keptBy(experiment, frameworks);
  const lacking = [...frameworks.keys()].flatMap((framework) => {
    const stores = experiment.stores.filter(
      (store) => !kept.some((of) => of.framework === framework && of.store === store),
    );
    return stores.length === 0 ? [] : [`${framework} in ${stores.join(', ')}`];
  });
  if (lacking.length > 0) say(`not offered, and left out: ${lacking.join('; ')}`);
  return kept.flatMap((of) =>
    struck
      .filter((each) => isStoreProgram(of.store) || !NEEDS_PROGRAM.includes(each))
      .flatMap((each) => left.map((stay) => ({ ...of, struck: each, left: stay }))),
  );
}

/** A store that is a part of the server is struck with it. */
const NEEDS_PROGRAM: readonly KeptCell['struck'][] = ['store', 'both'];

/** The stores of those that are asked for that each framework has. */
function keptBy({ stores }: KeptExperiment, frameworks: Frameworks): { framework: string; store: KeptStore }[] {
  return [...frameworks].flatMap(([framework, { about }]) =>
    [...new Set(stores)].filter((store) => about.stores?.[store] !== undefined).map((store) => ({ framework, store })),
  );
}

async function struckHere({ struck }: KeptExperiment, say: (text: string) => void): Promise<KeptCell['struck'][]> {
  const problem = struck.includes('power') ? await powerProblem() : null;
  if (problem === null) return [...new Set(struck)];
  say(`"struck: power" is not offered here, and left out: ${problem}`);
  return [...new Set(struck)].filter((each) => each !== 'power');
}

/** @throws UserError (3) if a store's program is not installed */
async function readyStores(experiment: KeptExperiment, { frameworks, say }: ScenarioContext): Promise<void> {
  const kept = keptBy(experiment, frameworks);
  for (const store of new Set(kept.map((of) => of.store).filter(isStoreProgram))) {
    const found = await findStoreProgram(store);
    if ('problem' in found) throw new UserError(`${found.problem}; or leave ${store} out of stores`, { exitCode: 3 });
  }
  const packages = kept.flatMap(
    ({ framework, store }) => frameworks.get(framework)!.about.stores![store]!.packages ?? [],
  );
  await readyProjectPackages(packages, { say });
}
