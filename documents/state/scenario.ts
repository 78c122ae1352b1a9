/** Scenario `state`: saving and loading documents of replays, and loading what a run's trials saved. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { admitAll } from '../../frameworks/admit.ts';
import { byName, usable, versionToday } from '../../frameworks/framework.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { DOCUMENTS_FOLDER, SAVED_STATE_ENDING } from '../../results/formats/run-directory.ts';
import { readPlan, readVerdict, scenarioOf } from '../../results/run-folder/run-files.ts';
import { UserError } from '../../results/user-error.ts';
import { drawIdentities } from '../engines/identity.ts';
import { measuringCommand } from '../measuring-process.ts';
import { EditFiles, traceOfOneAuthor } from '../replay/edit-files.ts';
import { enginesNamed, prefixNotes, readyEngines, requireHoldable } from '../replay/engines.ts';
import type { ExperimentOf, OpenScenario, ScenarioContext, ScenarioKind } from '../scenario.ts';
import { TrialsInTurns } from '../trials-in-turns.ts';
import { inOrderOf } from '../turns.ts';
import type { StateTask } from './main.ts';

export type StateExperiment = ExperimentOf<'state'>;

/** Parameters by which the cells differ. */
type Of = { engine: string; state: string; encoding: string; history: string };

const MAIN = join(import.meta.dirname, 'main.ts');
/** In the place of an encoding's name, of a state that a trial saved: each framework has one. */
const OF_TRIAL = 'as saved';
/** In the place of a state's name, if each trial loads that of another trial. */
const EACH_TRIAL = 'each trial';

export const scenario: ScenarioKind<StateExperiment, Of> = {
  async cells({ engines, trace, run, inTurns }, { say }) {
    const cells: Of[] = [];
    for (const { name, encodings } of await enginesNamed(engines)) {
      if (encodings.length === 0) say(`note: ${name} saves no document, so there is no such cell`);
      for (const { name: encoding, history } of encodings) {
        cells.push({ engine: name, state: trace, encoding, history: history ? 'yes' : 'no' });
      }
    }
    if (run === null) return cells;
    const ofTrials = [...(await savedStates(run))].map(([framework, [first]]): Of => {
      const state = inTurns ? EACH_TRIAL : first!.trial;
      return { engine: framework, state, encoding: OF_TRIAL, history: 'unknown' };
    });
    return [...cells, ...ofTrials];
  },
  // Most of it is the replay.
  estimateMs: ({ limitMs }) => limitMs / 10,
  open,
};

async function open(experiment: StateExperiment, { folder, say }: ScenarioContext): Promise<OpenScenario<Of>> {
  const trace = await traceOfOneAuthor(experiment.trace);
  const engines = await readyEngines(experiment.engines, say);
  const { run, warmUps, repetitions, inTurns, limitMs } = experiment;
  const saved: SavedStates = run === null ? new Map() : await savedStates(run);
  const admitted = await admitAll([...saved.keys()], { from: PROJECT_ROOT, say });
  const frameworks = byName(admitted.map(usable));
  const files = new EditFiles(folder, trace);
  const trials = new TrialsInTurns(say);
  return {
    versionOf: ({ engine, encoding }) =>
      encoding === OF_TRIAL ? versionToday(frameworks.get(engine)!) : engines.get(engine)!.version,
    async runTrial(of, { trial, seed, measure, write, signal }) {
      const { engine: name, encoding } = of;
      if (encoding === OF_TRIAL) {
        const together = inTurns ? inOrderOf(statesOfOneTrial(saved, trial), trial - 1) : [saved.get(name)![0]!];
        const subjects = together.map(({ framework }) => framework);
        const task: StateTask = { step: 'load-of-trials', states: together, warmUps, repetitions };
        const command = measuringCommand(MAIN, task);
        write(await trials.linesOf(name, { seed, subjects, command, limitMs: subjects.length * limitMs, signal }));
        return;
      }
      let hasFailed = false;
      const run = (task: StateTask) =>
        measure(measuringCommand(MAIN, task), limitMs, ({ type }) => {
          hasFailed ||= type === 'failure';
        });
      const engine = engines.get(name)!;
      requireHoldable(engine, trace);
      write(prefixNotes(engine, { edits: files.edits, repeat: 1 }));
      const edits = await files.pathFor({ atMost: engine.prefix?.edits, repeat: 1 });
      const state = join(folder, 'saved');
      const [identity] = drawIdentities(seed, 1);
      await run({
        ...{ step: 'save', engine: name, identity: identity!, encoding },
        ...{ edits, state, warmUps, repetitions },
      });
      // Only its usual encoding is one that the engine loads. What was not saved is not there, or another cell's.
      if (hasFailed || !engine.loads || encoding !== engine.encodings[0]!.name) return;
      await run({ step: 'load', engine: name, state, edits, warmUps, repetitions });
    },
  };
}

interface SavedState {
  framework: string;
  /** The trial's name, as `yjs-optquill-16-1`. */
  trial: string;
  /** The same for the same trial of other frameworks. */
  place: string;
  path: string;
}

/** By framework, in the order of the plan; at least one of each. */
type SavedStates = ReadonlyMap<string, SavedState[]>;

/**
 * One user’s state of each valid trial with the most users that a framework had.
 *
 * @throws UserError (2) if the folder holds no run in which people typed, or no valid trial with a saved state
 */
async function savedStates(run: string): Promise<SavedStates> {
  const scenario = await scenarioOf(run);
  if (scenario !== 'typing') {
    throw new UserError(
      `${run} holds a run of the scenario ${scenario}, whose trials save no states; give a run in which people typed, or null`,
    );
  }
  const { trials } = await readPlan(run);
  const largest = new Map<string, { users: number; states: SavedState[] }>();
  for (const { framework, mode, users, trial: number, directory } of trials) {
    const known = largest.get(framework);
    if (users < (known?.users ?? 0)) continue;
    const verdict = await readVerdict(join(run, directory));
    if (typeof verdict === 'string' || verdict.verdict !== 'valid') continue;
    const folder = join(run, directory, DOCUMENTS_FOLDER);
    const names = existsSync(folder) ? await readdir(folder) : [];
    const [first] = names.filter((name) => name.endsWith(SAVED_STATE_ENDING)).sort();
    if (first === undefined) continue;
    const trial = directory.split('/').at(-1)!;
    const state = { framework, trial, place: `${mode} ${users} ${number}`, path: join(folder, first) };
    largest.set(framework, { users, states: users === known?.users ? [...known.states, state] : [state] });
  }
  if (largest.size > 0) return new Map([...largest].map(([framework, { states }]) => [framework, states]));
  throw new UserError(`${run} has no valid trial with a saved state; give a run in which people typed, or null`);
}

/**
 * The states that the frameworks saved in the same trial, another one with each `trial`. Documents of two trials differ, and so do
 * the times of loading them: loaded again and again, one pair would show that difference as one of the frameworks.
 */
function statesOfOneTrial(saved: SavedStates, trial: number): SavedState[] {
  const lists = [...saved.values()];
  const inAll = lists[0]!.filter(({ place }) => lists.every((list) => list.some((other) => other.place === place)));
  return lists.map((list) => {
    const { place } = inAll[(trial - 1) % inAll.length] ?? list[0]!;
    return list.find((state) => state.place === place)!;
  });
}
