/** Scenario `state`: saving and loading documents of replays, and loading what a run's trials saved. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { admitAll } from '../../frameworks/admit.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import type { state } from '../../harness/experiment/document-experiments.ts';
import type { ValueOf } from '../../harness/experiment/property.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { DOCUMENTS_FOLDER, SAVED_STATE_ENDING } from '../../results/formats/run-directory.ts';
import { readPlan, readVerdict } from '../../results/run-folder/run-files.ts';
import { UserError } from '../../results/user-error.ts';
import { resolveTrace } from '../../traces/store.ts';
import { drawIdentities } from '../engines/identity.ts';
import { measuringCommand } from '../measuring-process.ts';
import { EditFiles } from '../replay/edit-files.ts';
import { enginesNamed, readyEngines } from '../replay/engines.ts';
import type { OpenScenario, ScenarioContext, ScenarioKind } from '../scenario.ts';
import { TrialsInTurns } from '../trials-in-turns.ts';
import type { StateTask } from './main.ts';

export type StateExperiment = ValueOf<typeof state>;

/** Parameters by which the cells differ. */
type Of = { engine: string; state: string; encoding: string; history: string };

const MAIN = join(import.meta.dirname, 'main.ts');
/** In the place of an encoding's name, of a state that a trial saved: each framework has one. */
const OF_TRIAL = 'as saved';

export const scenario: ScenarioKind<StateExperiment, Of> = {
  async cells({ engines, trace, run }, say) {
    const cells: Of[] = [];
    for (const { name, encodings } of await enginesNamed(engines)) {
      if (encodings.length === 0) say(`note: ${name} saves no document, so there is no such cell`);
      for (const { name: encoding, history } of encodings) {
        cells.push({ engine: name, state: trace, encoding, history: history ? 'yes' : 'no' });
      }
    }
    if (run === null) return cells;
    const ofTrials = (await savedStates(run)).map(({ framework, trial }): Of => {
      return { engine: framework, state: trial, encoding: OF_TRIAL, history: 'unknown' };
    });
    return [...cells, ...ofTrials];
  },
  // Most of it is the replay.
  estimateMs: ({ limitMs }) => limitMs / 10,
  open,
};

async function open(experiment: StateExperiment, { folder, say }: ScenarioContext): Promise<OpenScenario<Of>> {
  const engines = await readyEngines(experiment.engines, say);
  const trace = await resolveTrace(experiment.trace);
  const { run, warmUps, repetitions, inTurns, limitMs } = experiment;
  const states = run === null ? [] : await savedStates(run);
  await admitAll([...new Set(states.map(({ framework }) => framework))], { from: PROJECT_ROOT, say });
  const files = new EditFiles(folder, trace);
  const trials = new TrialsInTurns();
  return {
    versionOf: async ({ engine, encoding }) =>
      encoding === OF_TRIAL ? versionToday(await findFramework(engine)) : engines.get(engine)!.version,
    async runTrial(of, { seed, measure, write, signal }) {
      const { engine: name, encoding } = of;
      if (encoding === OF_TRIAL) {
        const together = inTurns ? states : states.filter(({ trial }) => trial === of.state);
        const subjects = together.map(({ framework }) => framework);
        const task: StateTask = { step: 'load-of-trials', states: together, warmUps, repetitions };
        const command = measuringCommand(MAIN, task);
        write(await trials.linesOf(name, { seed, subjects, command, limitMs: subjects.length * limitMs, signal }));
        return;
      }
      const run = (task: StateTask) => measure(measuringCommand(MAIN, task), limitMs);
      const engine = engines.get(name)!;
      const edits = await files.pathFor(engine, 1);
      const saved = join(folder, 'saved');
      const [identity] = drawIdentities(seed, 1);
      await run({
        ...{ step: 'save', engine: name, identity: identity!, encoding },
        ...{ edits, state: saved, warmUps, repetitions },
      });
      // Only its usual encoding is one that the engine loads.
      if (!engine.loads || encoding !== engine.encodings[0]!.name) return;
      await run({ step: 'load', engine: name, state: saved, edits, warmUps, repetitions });
    },
  };
}

interface SavedState {
  framework: string;
  /** The trial's name, as `yjs-optquill-16-1`. */
  trial: string;
  path: string;
}

/**
 * One user’s state of each framework, from its largest cell.
 *
 * @throws UserError (2) if the folder holds no run, or no valid trial with a saved state
 */
async function savedStates(run: string): Promise<SavedState[]> {
  const { trials } = await readPlan(run);
  const largest = new Map<string, { users: number; state: SavedState }>();
  for (const { framework, users, directory } of trials) {
    if (users <= (largest.get(framework)?.users ?? 0)) continue;
    const verdict = await readVerdict(join(run, directory));
    if (typeof verdict === 'string' || verdict.verdict !== 'valid') continue;
    const folder = join(run, directory, DOCUMENTS_FOLDER);
    const names = existsSync(folder) ? await readdir(folder) : [];
    const [first] = names.filter((name) => name.endsWith(SAVED_STATE_ENDING)).sort();
    if (first === undefined) continue;
    const trial = directory.split('/').at(-1)!;
    largest.set(framework, { users, state: { framework, trial, path: join(folder, first) } });
  }
  if (largest.size > 0) return [...largest.values()].map(({ state }) => state);
  throw new UserError(`${run} has no valid trial with a saved state; give a run in which people typed, or null`, {
    exitCode: 2,
  });
}
