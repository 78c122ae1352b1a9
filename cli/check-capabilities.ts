/** `check --capabilities`: capabilities of libraries, by the programs that try them. */
import { Option } from 'commander';
import { formatCapabilities } from '../capabilities/capabilities-table.ts';
import { keepOutcomes } from '../capabilities/outcomes.ts';
import { readyLibraries, runCapabilities } from '../capabilities/run-capabilities.ts';
import { runInterruptibly, STOPPING } from './interrupt.ts';

export const CAPABILITIES_FLAG = new Option(
  '--capabilities',
  'run the programs that try capabilities of libraries, instead of the conformance suite',
).conflicts(['mode', 'only']);
export const KEEP_FLAG = new Option(
  '--keep',
  'with --capabilities: keep the outcomes for docs/capabilities.md',
).implies({
  capabilities: true,
});

/** Prints the table, or JSON; a program that fails makes the exit code 1. */
export async function checkCapabilities(
  names: readonly string[],
  { json, keep }: { json?: boolean; keep?: boolean },
): Promise<void> {
  const libraries = await readyLibraries(names, { say: (text) => console.error(text) });
  const cells = await runInterruptibly(STOPPING, (signal) => runCapabilities({ libraries, signal }));
  if (keep === true) await keepOutcomes(cells);
  console.log(json === true ? JSON.stringify(plainOf(cells), null, 2) : formatCapabilities(cells));
  if (cells.some(({ outcome }) => 'failed' in outcome)) process.exitCode = 1;
}

function plainOf(cells: Awaited<ReturnType<typeof runCapabilities>>) {
  return cells.map(({ capability, library, outcome }) => ({
    capability: capability.id,
    framework: library.name,
    ...outcome,
  }));
}
