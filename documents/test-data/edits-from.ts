/** Edits that a test writes by hand. */
import type { Patch } from '../../traces/format.ts';
import type { Edits } from '../replay/edits.ts';

/** @param edits in UTF-16 units. @returns them, without the text that they make */
export function editsFrom(edits: readonly Readonly<Patch>[]): Edits {
  return {
    ...{ count: edits.length, repeat: 1, endContent: '' },
    positions: Uint32Array.from(edits, ([position]) => position),
    deleted: Uint32Array.from(edits, ([, deleted]) => deleted),
    inserted: edits.map(([, , inserted]) => inserted),
  };
}
