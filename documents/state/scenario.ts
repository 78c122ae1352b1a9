/** Scenario `state`: saving and loading documents of replays, and loading what a run's trials saved. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findFramework } from '../../frameworks/discover.ts';
import { versionToday } from '../../frameworks/framework.ts';
import type { state } from '../../harness/experiment/document-experiments.ts';
import type { ValueOf } from '../../harness/experiment/property.ts';
import { makeTemporaryFolder } from '../../infra/process/temporary-folder.ts';
import { resolveTrace } from '../../traces/store.ts';
import { runMeasuringProcess } from '../measuring-process.ts';
import { EditFiles } from '../replay/edit-files.ts';
import { enginesNamed } from '../replay/engines.ts';
import type { OpenScenario, ScenarioKind } from '../scenario.ts';
import { savedStates } from './saved-states.ts';
import type { StateTask } from './state-task.ts';

export type StateExperiment = ValueOf<typeof state>;

/** What tells the cells apart. */
type Of = { engine: string; state: string; encoding: string; history: string };

const MAIN = join(import.meta.dirname, 'main.ts');
/** In the place of an encoding's name, of a state that a trial saved: each framework has one. */
const OF_TRIAL = 'as saved';

export const scenario: ScenarioKind<StateExperiment> = {
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

async function open(experiment: StateExperiment): Promise<OpenScenario> {
  const engines = new Map((await enginesNamed(experiment.engines)).map((engine) => [engine.name, engine]));
  const trace = await resolveTrace(experiment.trace);
  const { run, warmUps, repetitions, limitMs } = experiment;
  const states = run === null ? [] : await savedStates(run);
  const folder = await makeTemporaryFolder('state');
  const files = new EditFiles(folder, trace);
  const pathOf = ({ engine, state: of }: Of) =>
    states.find(({ framework, trial }) => framework === engine && trial === of)!.path;
  return {
    versionOf: async (given) => {
      const { engine, encoding } = given as Of;
      return encoding === OF_TRIAL ? versionToday(await findFramework(engine)) : engines.get(engine)!.version;
    },
    async runTrial({ of: given }, { write, signal }) {
      const of = given as Of;
      const run = (task: StateTask) => {
        const command = [process.execPath, '--expose-gc', MAIN, JSON.stringify(task)];
        return runMeasuringProcess({ command, limitMs, write, signal });
      };
      if (of.encoding === OF_TRIAL) {
        return run({ step: 'load-of-trial', framework: of.engine, state: pathOf(of), warmUps, repetitions });
      }
      const engine = engines.get(of.engine)!;
      const edits = await files.pathFor(engine, 1);
      const saved = join(folder, 'saved');
      const { encoding } = of;
      await run({ step: 'save', engine: of.engine, encoding, edits, state: saved, warmUps, repetitions });
      // Only its usual encoding is one that the engine loads.
      if (!engine.loads || encoding !== engine.encodings[0]!.name) return;
      await run({ step: 'load', engine: of.engine, state: saved, edits, warmUps, repetitions });
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
