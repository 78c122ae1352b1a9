/** The engines that experiments can name, and what each offers, without loading them: this process may coordinate trials. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versionFor } from '../../frameworks/packages/installed.ts';
import { lockOf, readyProjectPackages } from '../../frameworks/packages/project-packages.ts';
import { runCommand } from '../../infra/process/child.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { didYouMean } from '../../results/nearest.ts';
import { alignTable } from '../../results/text-table.ts';
import { UserError } from '../../results/user-error.ts';
import type { Trace } from '../../traces/format.ts';
import type { EngineAbout, Observed } from '../engines/engine.ts';
import { outsideEngineNames } from '../engines/load.ts';
import { NATIVE_ENGINES, type NativeReplay } from '../engines/native/native.ts';
import { SubjectFailure } from '../scenario.ts';
import { firstWideCharacter } from './edits.ts';

/** The task of one replay’s process. */
export interface ReplayTask extends NativeReplay {
  /** True: `edits` is a file of steps. */
  isConcurrent: boolean;
  /** How many edits the whole trace has, if the engine is given fewer. */
  ofEdits: number;
}

/** The file of what `describeAll` finds. */
export const DESCRIBED_ENGINES = 'documents/engines/described.json';

/** An engine as `describeAll` found it, and `engines/described.json` keeps it. */
export interface KeptEngine extends Omit<EngineAbout, 'merges'> {
  name: string;
  /** Ways in which its edits can be observed. */
  observes: readonly Observed[];
  /** How it saves a document, the usual way first; and whether it loads that again. */
  encodings: { name: string; history: boolean }[];
  loads: boolean;
  /** True: replicas merge concurrent edits. */
  merges: boolean;
}

export interface DescribedEngine extends KeptEngine {
  /** Of the package, installed or to be installed; of this project’s own code, this project’s. */
  version: string;
  /** True: the engine runs in the native program. */
  isNative: boolean;
}

/** In alphabetical order, those in JavaScript first. */
export async function describeEngines(): Promise<DescribedEngine[]> {
  const { packages } = await lockOf(PROJECT_ROOT);
  const versionOf = (name: string | null) =>
    versionFor(join(PROJECT_ROOT, 'package.json'), name) ?? packages[`node_modules/${name}`]!.version!;
  const text = await readFile(join(PROJECT_ROOT, DESCRIBED_ENGINES), 'utf8');
  const kept = (JSON.parse(text) as KeptEngine[]).map((engine) => ({
    ...engine,
    version: versionOf(engine.package),
    isNative: false,
  }));
  const native = Object.entries(NATIVE_ENGINES).map(([name, about]) => ({
    ...{ name, package: null, ...about },
    // The program replays one author.
    ...{ encodings: [], loads: false, merges: false, isNative: true },
  }));
  return [...kept, ...(await describeOutside()), ...native];
}

let outside: Promise<DescribedEngine[]> | null = null;

/** In a process of its own: this one may coordinate trials. */
async function describeOutside(): Promise<DescribedEngine[]> {
  if (outsideEngineNames().length === 0) return [];
  outside ??= runCommand([process.execPath, join(import.meta.dirname, 'describe-main.ts')]).then(
    (printed) => JSON.parse(printed) as DescribedEngine[],
  );
  return outside;
}

/** As `enginesNamed`, with their packages installed. @throws UserError (3) also if they cannot be */
export async function readyEngines(
  names: readonly string[],
  say: (text: string) => void,
): Promise<Map<string, DescribedEngine>> {
  const engines = await enginesNamed(names);
  await readyProjectPackages(
    engines.flatMap((engine) => engine.package ?? []),
    { say },
  );
  return new Map(engines.map((engine) => [engine.name, engine]));
}

/**
 * Those with these names, in this order; `all` stands for every one in JavaScript.
 *
 * @throws UserError (2) if there is none of a name
 */
export async function enginesNamed(names: readonly string[]): Promise<DescribedEngine[]> {
  const engines = await describeEngines();
  const wanted = names.flatMap((name) =>
    name === ALL ? engines.filter(({ isNative }) => !isNative).map((engine) => engine.name) : [name],
  );
  return [...new Set(wanted)].map((name) => {
    const found = engines.find((engine) => engine.name === name);
    if (found !== undefined) return found;
    const known = engines.map((engine) => engine.name);
    throw new UserError(
      `engines: there is no engine "${name}"${didYouMean(name, known)}; write ${ALL}, or of: ${known.join(', ')}`,
    );
  });
}

const ALL = 'all';

/**
 * The note of an engine that is given the first of a trace's edits only; none if it is given all.
 *
 * @param edits  how many the trace has
 * @param repeat how often it is replayed
 */
export function prefixNotes(
  { prefix }: KeptEngine,
  { edits, repeat }: { edits: number; repeat: number },
): RecordLine[] {
  if (prefix === undefined || edits <= prefix.edits) return [];
  const eachTime = repeat === 1 ? '' : `, each of the ${repeat} times`;
  const message = `it is given the first ${prefix.edits} edits only${eachTime}: ${prefix.why}`;
  return [{ type: 'note', code: 'prefix', message }];
}

/** @throws SubjectFailure if the engine cannot hold a character that the trace has */
export function requireHoldable({ wideCharacters }: KeptEngine, trace: Trace): void {
  if (wideCharacters !== false) return;
  const character = firstWideCharacter(trace);
  if (character === null) return;
  const message = `it cannot hold characters of two UTF-16 units, and the trace has ${JSON.stringify(character)}`;
  throw new SubjectFailure('character-not-held', message);
}

/** A row for each. */
export function formatEngines(engines: readonly DescribedEngine[]): string {
  const rows = engines.map(({ name, version, kind, observes, algorithm, licence, isNative, prefix }) => [
    name,
    version,
    kind,
    observes.join(', '),
    isNative ? 'Rust' : 'JavaScript',
    algorithm,
    licence,
    prefix === undefined ? '' : `the first ${prefix.edits} edits`,
  ]);
  return alignTable([['engine', 'version', 'kind', 'observe', 'runs in', 'algorithm', 'licence', ''], ...rows]);
}
