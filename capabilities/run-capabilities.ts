/** Runs the programs, each in a process of its own: one that hangs, or whose library breaks down, spoils no other. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readyProjectPackages } from '../frameworks/packages/project-packages.ts';
import { formatPackages, type ReadyOptions, readyPackages } from '../frameworks/packages/ready-packages.ts';
import { runCommand } from '../infra/process/child.ts';
import { severalAtOnce } from '../infra/several-at-once.ts';
import { messageOf, UserError } from '../results/user-error.ts';
import { CAPABILITIES, type Capability, isHere, LIBRARIES, type Library } from './capabilities.ts';
import type { Outcome } from './programs/outcome.ts';

/** A program takes two seconds at most; this one hangs. */
const LIMIT_MS = 30_000;
const MAIN = join(import.meta.dirname, 'program-main.ts');

/** A program's outcome, or its failure, which is no mark. */
export type CellOutcome = Outcome | { failed: string };

export interface Cell {
  capability: Capability;
  library: Library;
  outcome: CellOutcome;
}

/**
 * The libraries with these names, in this order, with the packages that they take on demand installed. Without names, all but
 * those whose packages are not here, of which a line is said.
 *
 * @throws UserError (2) if there is none of a name, (3) if packages cannot be installed, or were altered
 */
export async function readyLibraries(names: readonly string[], options: ReadyOptions): Promise<readonly Library[]> {
  const libraries = names.length > 0 ? librariesNamed(names) : LIBRARIES.filter(isHere);
  const leftOut = names.length > 0 ? [] : LIBRARIES.filter((library) => !isHere(library));
  for (const { name, onDemand } of leftOut) {
    options.say?.(
      `${name} is left out: it takes ${formatPackages(onDemand!)}, which are not installed; check --capabilities ${name} installs them`,
    );
  }
  for (const { package: own, besides = [], onDemand } of libraries) {
    if (onDemand !== undefined) await readyPackages(onDemand, options);
    else await readyProjectPackages([own, ...besides], options);
  }
  return libraries;
}

/**
 * The libraries with these names, in this order.
 *
 * @throws UserError (2) if there is none of a name
 */
export function librariesNamed(names: readonly string[]): readonly Library[] {
  return names.map((name) => {
    const found = LIBRARIES.find((library) => library.name === name);
    if (found !== undefined) return found;
    const known = LIBRARIES.map((library) => library.name).join(', ');
    throw new UserError(`check --capabilities: there are no programs for "${name}"; write of: ${known}`);
  });
}

/**
 * Runs every program of these libraries.
 *
 * @param options.onCell  is told of each when it is done
 * @param options.main    the program that a process runs; tests replace it
 * @param options.limitMs limit of a process; a slower one is ended, and has failed
 * @returns               by capability, then by library
 * @throws the signal's reason if that aborts
 */
export async function runCapabilities(options: {
  libraries: readonly Library[];
  capabilities?: readonly Capability[];
  signal: AbortSignal;
  onCell?: (cell: Cell) => void;
  main?: string;
  limitMs?: number;
}): Promise<Cell[]> {
  const { libraries, capabilities = CAPABILITIES, signal, onCell, main = MAIN, limitMs = LIMIT_MS } = options;
  const cells = capabilities.flatMap((capability) => libraries.map((library) => ({ capability, library })));
  return severalAtOnce(cells, availableParallelism(), async (cell) => {
    const command = [process.execPath, main, cell.capability.id, cell.library.name];
    const done = { ...cell, outcome: await outcomeOf(command, { limitMs, signal }) };
    onCell?.(done);
    return done;
  });
}

async function outcomeOf(
  command: readonly string[],
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<CellOutcome> {
  const late = AbortSignal.timeout(limitMs);
  try {
    const printed = await runCommand(command, { signal: AbortSignal.any([signal, late]) });
    // A library may print too.
    return JSON.parse(printed.split('\n').at(-1)!) as Outcome;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { failed: `it was not done after ${limitMs / 1000} s` };
    return { failed: messageOf(error) };
  }
}
