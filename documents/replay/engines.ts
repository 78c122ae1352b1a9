/** The engines that experiments can name, and what each offers. Asked in another process: this one may coordinate trials. */
import { join } from 'node:path';
import { didYouMean } from '../../harness/experiment/nearest.ts';
import { runCommand } from '../../infra/process/child.ts';
import { alignTable } from '../../results/text-table.ts';
import { UserError } from '../../results/user-error.ts';
import type { EngineAbout, Observed } from '../engines/engine.ts';
import { NATIVE_ENGINES, type NativeReplay } from '../engines/native/native.ts';

/** The task of one replay’s process. */
export interface ReplayTask extends NativeReplay {
  /** True: `edits` is a file of steps. */
  isConcurrent: boolean;
  /** The first character of two UTF-16 units that the trace has; null: none. */
  wideCharacter: string | null;
  /** How many edits the whole trace has, if the engine is given fewer. */
  ofEdits: number;
}

export interface DescribedEngine extends Omit<EngineAbout, 'package' | 'merges'> {
  name: string;
  version: string;
  /** Ways in which its edits can be observed. */
  observes: readonly Observed[];
  /** How it saves a document, the usual way first; and whether it loads that again. */
  encodings: { name: string; history: boolean }[];
  loads: boolean;
  /** True: replicas merge concurrent edits. */
  merges: boolean;
  /** True: the engine runs in the native program. */
  isNative: boolean;
}

let described: Promise<DescribedEngine[]> | null = null;

/** In alphabetical order, those in JavaScript first. */
export function describeEngines(): Promise<DescribedEngine[]> {
  described ??= runCommand([process.execPath, join(import.meta.dirname, 'describe-main.ts')]).then((printed) => [
    ...(JSON.parse(printed) as DescribedEngine[]),
    ...Object.entries(NATIVE_ENGINES).map(([name, about]) => ({
      ...{ name, ...about },
      ...{ encodings: [], loads: false, merges: false, isNative: true },
    })),
  ]);
  return described;
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
      { exitCode: 2 },
    );
  });
}

const ALL = 'all';

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
