/** Scenario `replay`: a trace applied edit by edit to one replica of each engine. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { replay } from '../../harness/experiment/document-experiments.ts';
import type { ValueOf } from '../../harness/experiment/property.ts';
import { makeTemporaryFolder } from '../../infra/process/made-once.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { UserError } from '../../results/user-error.ts';
import { resolveTrace } from '../../traces/store.ts';
import { buildNative, nativeReplayCommand } from '../engines/native/native.ts';
import { runMeasuringProcess } from '../measuring-process.ts';
import type { OpenScenario, ScenarioContext, ScenarioKind } from '../scenario.ts';
import { EditFiles } from './edit-files.ts';
import { firstWideCharacter } from './edits.ts';
import type { ReplayTask } from './engines.ts';
import { type DescribedEngine, enginesNamed } from './engines.ts';

export type ReplayExperiment = ValueOf<typeof replay>;

/** Parameters by which the cells differ. */
type Of = { engine: string; observe: ReplayTask['observe']; repeat: number };

const MAIN = join(import.meta.dirname, 'main.ts');
/** Loading, warming up, memory, saving and checking, beside what has limits of its own. */
const REST_LIMIT_MS = 60_000;
/** Limit of JavaScript's heap: more than any engine needs for one document of a size that people write. */
const HEAP_MIB = 4096;

const REMOTE_COUNTS = ['remoteEdits', 'remoteBatchedEdits'];
const REMOTE_CUT =
  'a second replica did not get all updates in the time for that: its rates are of the first ones, as remoteEdits and remoteBatchedEdits tell';

export const scenario: ScenarioKind<ReplayExperiment> = {
  async cells({ engines, observe, repeat, trace }, say) {
    const named = await enginesNamed(engines);
    if (await isConcurrent(trace)) return concurrentCells(named, say);
    return named.flatMap(({ name, observes }) => {
      for (const each of observe.filter((other) => !observes.includes(other))) {
        say(`note: ${name} does not offer "${each}", so there is no such cell`);
      }
      const offered = observe.filter((each) => observes.includes(each));
      return offered.flatMap((each) => repeat.map((times): Of => ({ engine: name, observe: each, repeat: times })));
    });
  },
  // As seen of fourteen engines with b4: few come near their limit.
  estimateMs: ({ limitMs, remoteMs }) => limitMs / 20 + remoteMs,
  open,
};

/** Authors of a concurrent trace live on one another's updates, and its edits fit one history only. */
function concurrentCells(engines: readonly DescribedEngine[], say: (text: string) => void): Of[] {
  for (const { name, merges } of engines) {
    if (!merges) say(`note: ${name} does not merge what was written at once, so there is no such cell`);
  }
  return engines.flatMap(({ name, merges }) => (merges ? [{ engine: name, observe: 'updates', repeat: 1 }] : []));
}

/** One that is not here yet is said by `open`. */
async function isConcurrent(trace: string): Promise<boolean> {
  try {
    return (await resolveTrace(trace)).kind === 'concurrent';
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

async function open(experiment: ReplayExperiment, context: ScenarioContext): Promise<OpenScenario> {
  const trace = await resolveTrace(experiment.trace);
  const engines = new Map((await enginesNamed(experiment.engines)).map((engine) => [engine.name, engine]));
  const native = [...engines.values()].some(({ isNative }) => isNative) ? await nativeOrReason(context) : null;
  const folder = await makeTemporaryFolder('replay');
  const files = new EditFiles(folder, trace);
  const wideCharacter = firstWideCharacter(trace);
  return {
    versionOf: async ({ engine }) => engines.get(String(engine))!.version,
    async runTrial({ of }, { write, signal }) {
      const { engine: name, observe, repeat } = of as Of;
      const engine = engines.get(name)!;
      const { limitMs, remoteMs } = experiment;
      if (engine.prefix !== undefined && trace.kind === 'sequential') {
        const { edits, why } = engine.prefix;
        write({ type: 'note', code: 'prefix', message: `it is given the first ${edits} edits only: ${why}` });
      }
      const edits = await files.pathFor(engine, repeat);
      const isConcurrent = trace.kind === 'concurrent';
      const ofEdits = repeat * files.edits;
      const updates = Math.min(ofEdits, engine.prefix?.edits ?? ofEdits);
      const task: ReplayTask = {
        engine: name,
        observe,
        edits,
        isConcurrent,
        wideCharacter,
        ofEdits,
        limitMs,
        remoteMs,
      };
      const command = engine.isNative ? nativeReplayCommand(programOf(native!), task) : nodeCommand(task);
      const limits = { limitMs: limitMs + 2 * remoteMs + REST_LIMIT_MS };
      let isCut = false;
      const writeAndLook = (line: RecordLine) => {
        if (line.type === 'figure' && REMOTE_COUNTS.includes(line.figure)) isCut ||= line.value < updates;
        write(line);
      };
      await runMeasuringProcess({ command, ...limits, write: writeAndLook, signal });
      if (isCut) write({ type: 'note', code: 'remote-cut', message: REMOTE_CUT });
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** If the native program cannot be built, the engines in JavaScript are measured all the same. */
async function nativeOrReason(context: ScenarioContext): Promise<string | UserError> {
  try {
    return await buildNative(context);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    context.say(error.message);
    return error;
  }
}

/** @throws UserError why there is none */
function programOf(native: string | UserError): string {
  if (native instanceof UserError) throw native;
  return native;
}

function nodeCommand(task: ReplayTask): string[] {
  return [process.execPath, '--expose-gc', `--max-old-space-size=${HEAP_MIB}`, MAIN, JSON.stringify(task)];
}
