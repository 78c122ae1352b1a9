/** The engines that are Rust crates: one small program holds them all, is built once where cargo is, and runs each trial. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { byLine, runTool } from '../../../infra/process/child.ts';
import { isMade, madeOnce } from '../../../infra/process/made-once.ts';
import { PROJECT_ROOT } from '../../../infra/project.ts';
import { messageOf, Unavailable } from '../../../results/user-error.ts';
import type { Observed } from '../engine.ts';

export interface NativeEngineAbout {
  /** Of its crate. */
  version: string;
  algorithm: string;
  licence: string;
  kind: 'baseline' | 'library';
  /** Ways in which its edits can be observed. */
  observes: readonly Observed[];
}

const FOLDER = import.meta.dirname;
const MANIFEST = readFileSync(join(FOLDER, 'Cargo.toml'), 'utf8');

/** The exact version of a crate that Cargo.toml asks for. */
function versionOf(crate: string): string {
  const [, version] = new RegExp(`^${crate} = "=([^"]+)"$`, 'm').exec(MANIFEST)!;
  return version!;
}

function library(
  crate: string,
  algorithm: string,
  more: { licence?: string; observes?: readonly Observed[] } = {},
): NativeEngineAbout {
  const observes = ['updates', 'edits', 'once'] as const;
  return { version: versionOf(crate), algorithm, licence: 'MIT', kind: 'library', observes, ...more };
}

function rope(crate: string, algorithm: string, licence: string): NativeEngineAbout {
  return { version: versionOf(crate), algorithm, licence, kind: 'baseline', observes: ['edits', 'once'] };
}

/** The names are those of the program. */
export const NATIVE_ENGINES: Readonly<Record<string, NativeEngineAbout>> = {
  'automerge-rust': library('automerge', 'RGA, in columns of operations'),
  cola: library('cola', 'runs of ids in a B-tree, without text: its length is verified', { observes: ['edits'] }),
  'diamond-types-rust': library('diamond-types', 'YATA on a list of operations', {
    licence: 'ISC',
    observes: ['updates', 'edits'],
  }),
  jumprope: rope('jumprope', 'a rope: a skip list of gap buffers', 'ISC OR Apache-2.0'),
  'loro-rust': library('loro', 'Fugue on Eg-walker’s replay'),
  ropey: rope('ropey', 'a rope: a B-tree of pieces of text', 'MIT'),
  yrs: library('yrs', 'YATA'),
};

/** The task of one trial: a replay of a file of edits. */
export interface NativeReplay {
  engine: string;
  observe: Observed;
  edits: string;
  /** Of the replica that is typed into, and of the one that follows it; of the authors of a concurrent trace. See identity.ts. */
  identities: readonly number[];
  /** The engine may take so long for all edits. */
  limitMs: number;
  /** At most so long are updates applied at a second replica, twice; 0: they are not. */
  remoteMs: number;
}

/** The command of one trial: it prints lines of the record. */
export function nativeReplayCommand(program: string, task: NativeReplay): string[] {
  return [program, JSON.stringify(task)];
}

const CACHE = join(PROJECT_ROOT, '.scriptorium/native');
const PROGRAM = 'scriptorium-native';
const OTHERWISE = 'Leave the native engines out, or install Rust from https://rustup.rs';
const PROGRESS_MS = 20_000;

/** Path of the program of these sources, once it is built. */
export async function nativeProgram(cache: string = CACHE): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  const sources = await readdir(join(FOLDER, 'src'), { recursive: true, withFileTypes: true });
  const files = sources.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of [join(FOLDER, 'Cargo.toml'), join(FOLDER, 'Cargo.lock'), ...files.sort()]) {
    hash.update(`\0${relative(FOLDER, file)}\0`).update(await readFile(file));
  }
  return join(cache, hash.digest('hex').slice(0, 16), PROGRAM);
}

/**
 * Builds the program, unless it is there already.
 *
 * @param options.say   gets what a person should know while it is built: that takes minutes
 * @param options.cache where it is kept, with cargo's own folder beside it
 * @returns the program's path
 * @throws UserError (3) if cargo is missing or too old, or if the build fails, and the signal's reason if that
 *         aborts
 */
export async function buildNative(options: {
  say(text: string): void;
  signal: AbortSignal;
  cache?: string;
}): Promise<string> {
  const { say, signal, cache = CACHE } = options;
  const program = await nativeProgram(cache);
  if (isMade(dirname(program))) return program;
  say('building the native engines, once: about 4 minutes on 2 cores');
  const startMs = performance.now();
  const built = await runCargo(join(cache, 'target'), { say, signal });
  await madeOnce(dirname(program), (partial) => copyFile(built, join(partial, PROGRAM)));
  say(`the native engines are built: it took ${Math.round((performance.now() - startMs) / 1000)} s`);
  return program;
}

/** Cargo's output for each crate that is compiled. */
interface CargoMessage {
  reason: string;
  executable?: string | null;
}

/** @returns the program that cargo made */
async function runCargo(
  target: string,
  { say, signal }: { say(text: string): void; signal: AbortSignal },
): Promise<string> {
  const lock = await readFile(join(FOLDER, 'Cargo.lock'), 'utf8');
  const packages = lock.match(/^\[\[package\]\]$/gm)?.length ?? 0;
  let compiled = 0;
  let program: string | null = null;
  const line = (text: string) => {
    if (!text.startsWith('{')) return;
    const { reason, executable } = JSON.parse(text) as CargoMessage;
    if (reason !== 'compiler-artifact') return;
    compiled++;
    // Build scripts of crates are no artifacts of that kind.
    program = executable ?? program;
  };
  const timer = setInterval(
    () => say(`building the native engines: ${compiled} of about ${packages} crates`),
    PROGRESS_MS,
  );
  try {
    const command = ['cargo', 'build', '--release', '--locked', '--message-format', 'json-render-diagnostics'];
    const environment = { ...process.env, CARGO_TARGET_DIR: target };
    await runTool(command, { folder: FOLDER, environment, signal, onOutput: byLine(line) });
  } catch (cause) {
    signal.throwIfAborted();
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    // Cargo itself says if Rust is older than the manifest asks for.
    const why = isMissing
      ? `are built with cargo, which is not installed. ${OTHERWISE}.`
      : `could not be built. ${OTHERWISE}, or mend what cargo says:\n${messageOf(cause)}`;
    throw new Unavailable(`The native engines ${why}`, { cause });
  } finally {
    clearInterval(timer);
  }
  if (program === null) throw new Error('cargo built the native engines and names no program');
  return program;
}
