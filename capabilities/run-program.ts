/** One program in this process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceTreeOf } from '../frameworks/packages/source-tree.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { type Capability, type Library, programPath } from './capabilities.ts';
import type { Outcome, Program } from './programs/outcome.ts';

/** @throws what the program throws: it has failed, and says nothing of the library */
export async function runProgram(capability: Capability, library: Library): Promise<Outcome> {
  const { onDemand = null } = library;
  const root = onDemand === null ? PROJECT_ROOT : await sourceTreeOf(onDemand);
  const { href } = pathToFileURL(join(root, programPath(capability, library)));
  const { program } = (await import(/* @vite-ignore */ href)) as { program: Program };
  return await program(capability.id, library.name, capability.folder);
}
