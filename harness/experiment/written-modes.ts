/** Modes under earlier names: an experiment that uses one still runs, and a notice names the present one. */
import { presentMode } from '../../results/formats/run-directory.ts';
import type { Override } from './experiment-flags.ts';

/** The notice about a mode's earlier name. */
export function renamedSentence(former: string): string {
  return `the mode ${former} is called ${presentMode(former)} since 23 November 2026; write ${presentMode(former)}`;
}

/**
 * @param say gets one line for each earlier name in use
 * @returns the same with the names of now
 */
export function nameModes<Written extends { input: unknown; overrides: readonly Override[] }>(
  written: Written,
  say: (text: string) => void,
): Written {
  const former = new Set<unknown>();
  const present = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(present);
    if (typeof value !== 'string' || presentMode(value) === value) return value;
    if (!former.has(value)) say(renamedSentence(value));
    former.add(value);
    return presentMode(value);
  };
  const { input, overrides } = written;
  return {
    ...written,
    input: inBlock(inBlock(input, 'modes', present), 'batching', (batching) => inBlock(batching, 'sendModes', present)),
    overrides: overrides.map((override) =>
      override.path.join('.') === 'modes' ? { ...override, value: present(override.value) } : override,
    ),
  };
}

/** A copy of a block with one property changed, if the value is a block that has the property. */
function inBlock(value: unknown, name: string, change: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !(name in value)) return value;
  return { ...value, [name]: change((value as Record<string, unknown>)[name]) };
}
