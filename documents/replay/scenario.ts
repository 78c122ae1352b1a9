/** Scenario `replay`: a trace applied edit by edit to one replica of each engine. */
import { join } from 'node:path';
import { UserError } from '../../results/user-error.ts';
import type { Trace } from '../../traces/format.ts';
import { resolveTrace } from '../../traces/store.ts';
import { drawIdentities } from '../engines/identity.ts';
import { buildNative, nativeReplayCommand } from '../engines/native/native.ts';
import { measuringCommand } from '../measuring-process.ts';
import {
  combinations,
  type ExperimentOf,
  type OpenScenario,
  type ScenarioContext,
  type ScenarioKind,
} from '../scenario.ts';
import { TrialsInTurns } from '../trials-in-turns.ts';
import { inOrderOf } from '../turns.ts';
import { EditFiles } from './edit-files.ts';
import { firstWideCharacter } from './edits.ts';
import {
  type DescribedEngine,
  enginesNamed,
  prefixNotes,
  type ReplayTask,
  readyEngines,
  requireHoldable,
} from './engines.ts';
import type { InTurnsTask } from './in-turns.ts';

export type ReplayExperiment = ExperimentOf<'replay'>;

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

export const scenario: ScenarioKind<ReplayExperiment, Of> = {
  async cells({ engines, observe, repeat, trace }, { say }) {
    const named = await enginesNamed(engines);
    if (await isConcurrent(trace)) return concurrentCells(named, { observe, repeat, say });
    return named.flatMap(({ name, observes }) => {
      for (const each of observe.filter((other) => !observes.includes(other))) {
        say(`note: ${name} does not offer "${each}", so there is no such cell`);
      }
      const offered = observe.filter((each) => observes.includes(each));
      return combinations<Of>({ engine: [name], observe: offered, repeat });
    });
  },
  // As seen of fourteen engines with b4, and of five with b4x100: few come near their limit.
  estimateMs: ({ limitMs, remoteMs }, { repeat }) => limitMs / (repeat === 1 ? 20 : 5) + remoteMs,
  open,
};

/** Authors of a concurrent trace live on one another's updates, and its edits fit one history only. */
function concurrentCells(
  engines: readonly DescribedEngine[],
  { observe, repeat, say }: Pick<ReplayExperiment, 'observe' | 'repeat'> & Pick<ScenarioContext, 'say'>,
): Of[] {
  const others = [
    ...observe.filter((each) => each !== 'updates').map((each) => `observe: ${each}`),
    ...repeat.filter((times) => times !== 1).map((times) => `repeat: ${times}`),
  ];
  for (const other of new Set(others)) {
    say(`note: a trace of several authors is replayed by updates, and once, so there is no cell of ${other}`);
  }
  if (!observe.includes('updates') || !repeat.includes(1)) return [];
  for (const { name, merges, isNative } of engines) {
    const why = isNative
      ? 'runs in the native program, which replays one author only'
      : 'does not merge what was written at once';
    if (!merges) say(`note: ${name} ${why}, so there is no such cell`);
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

async function open(experiment: ReplayExperiment, context: ScenarioContext): Promise<OpenScenario<Of>> {
  const trace = await resolveTrace(experiment.trace);
  const files = new EditFiles(context.folder, trace);
  if (files.edits === 0) {
    throw new UserError(
      `the trace "${experiment.trace}" has no edits, so there is nothing to replay: take another with --trace, such as synthetic`,
    );
  }
  const engines = await readyEngines(experiment.engines, context.say);
  if (experiment.inTurns) return openInTurns(experiment, context, { trace, files, engines });
  const isConcurrent = trace.kind === 'concurrent';
  // Of a concurrent trace native engines have no cells.
  const isNativeUsed = !isConcurrent && [...engines.values()].some(({ isNative }) => isNative);
  const native = isNativeUsed ? buildNative(context) : null;
  // If it cannot be built, the engines in JavaScript are measured all the same.
  await native?.catch((error: Error) => {
    if (!(error instanceof UserError)) throw error;
    context.say(error.message);
  });
  const { limitMs, remoteMs } = experiment;
  return {
    versionOf: ({ engine }) => engines.get(engine)!.version,
    async runTrial({ engine: name, observe, repeat }, { seed, write, measure }) {
      const engine = engines.get(name)!;
      requireHoldable(engine, trace);
      if (!isConcurrent) write(prefixNotes(engine, { edits: files.edits, repeat }));
      const edits = await files.pathFor({ atMost: engine.prefix?.edits, repeat });
      const ofEdits = repeat * files.edits;
      const updates = Math.min(ofEdits, engine.prefix?.edits ?? ofEdits);
      const drawn = drawIdentities(seed, isConcurrent ? trace.numAgents : 2);
      // As in the session that was recorded, if ties fall by the authors' numbers; the other order is tried, too.
      const identities = isConcurrent ? drawn.sort((a, b) => a - b) : drawn;
      const task: ReplayTask = {
        ...{ engine: name, observe, edits, identities, isConcurrent },
        ...{ ofEdits, limitMs, remoteMs },
      };
      const command = engine.isNative
        ? nativeReplayCommand(await native!, task)
        : measuringCommand(MAIN, task, { heapMiB: HEAP_MIB });
      let isCut = false;
      const replaysMs = isConcurrent ? 2 * limitMs : limitMs;
      await measure(command, replaysMs + 2 * remoteMs + REST_LIMIT_MS, (line) => {
        if (line.type === 'figure' && REMOTE_COUNTS.includes(line.figure)) isCut ||= line.value < updates;
      });
      if (isCut) write({ type: 'note', code: 'remote-cut', message: REMOTE_CUT });
    },
  };
}

/** All engines make the same edits in the same process, so nothing may set one apart from the others. */
function openInTurns(
  { observe, repeat, limitMs, remoteMs }: ReplayExperiment,
  { say }: ScenarioContext,
  { trace, files, engines }: { trace: Trace; files: EditFiles; engines: ReadonlyMap<string, DescribedEngine> },
): OpenScenario<Of> {
  const all = [...engines.values()];
  const unfit = all.filter(({ isNative, prefix, observes }) => isNative || prefix || !observes.includes('updates'));
  const wide = firstWideCharacter(trace) !== null && all.some(({ wideCharacters }) => wideCharacters === false);
  const isPlain = trace.kind === 'sequential' && observe.join() === 'updates' && repeat.join() === '1';
  if (!isPlain || unfit.length > 0 || wide) {
    throw new UserError(
      `inTurns: true wants a trace of one author, observe: updates, repeat: 1, and engines in JavaScript that take the whole trace and give updates${unfit.length === 0 ? '' : `; not ${unfit.map(({ name }) => name).join(', ')}`}`,
    );
  }
  const trials = new TrialsInTurns(say);
  return {
    versionOf: ({ engine }) => engines.get(engine)!.version,
    async runTrial({ engine }, { trial, seed, write, signal }) {
      const edits = await files.pathFor({ repeat: 1 });
      const subjects = inOrderOf([...engines.keys()], trial - 1);
      const identities = drawIdentities(seed, 2);
      const task: InTurnsTask = { engines: subjects, edits, identities, limitMs, remoteMs };
      const command = measuringCommand(MAIN, task);
      const longestMs = all.length * (limitMs + 2 * remoteMs) + REST_LIMIT_MS;
      write(await trials.linesOf(engine, { seed, subjects, command, limitMs: longestMs, signal }));
    },
  };
}
