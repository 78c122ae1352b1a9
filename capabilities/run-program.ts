/** One program in this process. */
import { join } from 'node:path';
import { addressOf, hookModules } from '../frameworks/module-hooks.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { type Capability, type Library, programPath } from './capabilities.ts';
import type { Outcome, Program } from './programs/outcome.ts';

/** @throws what the program throws: it has failed, and says nothing of the library */
export async function runProgram(capability: Capability, library: Library): Promise<Outcome> {
  const { onDemand = null } = library;
  if (onDemand !== null) hookModules();
  const href = addressOf(join(PROJECT_ROOT, programPath(capability, library)), onDemand);
  const { program } = (await import(/* @vite-ignore */ href)) as { program: Program };
  return await program(capability.id);
}
