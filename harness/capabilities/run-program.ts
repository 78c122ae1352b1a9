/** One program in this process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from '../project.ts';
import { type Capability, type Library, programPath } from './capabilities.ts';
import type { Outcome, Program } from './programs/outcome.ts';

/** @throws what the program throws: it has failed, and says nothing of the library */
export async function runProgram(capability: Capability, library: Library): Promise<Outcome> {
  const { href } = pathToFileURL(join(PROJECT_ROOT, programPath(capability, library)));
  const { program } = (await import(/* @vite-ignore */ href)) as { program: Program };
  return await program(capability.id);
}
