/** Edits that two processes can make alike: a page is pasted, and then keys are typed and deleted at random places. */
import * as prng from 'lib0/prng';
import type { Patch } from '../../../traces/format.ts';
import type { Edits } from '../../replay/edits.ts';
import { editsFrom } from '../../test-data/edits-from.ts';

/** Long, so that writing the state takes a good part of the time, and is often what a kill meets. */
const PAGE_CHARACTERS = 8000;
const EDITS = 1500;

/** Each edit makes the text longer or shorter, so that no two states in a row are alike. */
export function typedEdits(seed: number): Edits {
  const generator = prng.create(seed);
  const edits: Patch[] = [[0, 0, prng.word(generator, PAGE_CHARACTERS, PAGE_CHARACTERS)]];
  let length = PAGE_CHARACTERS;
  while (edits.length < EDITS) {
    const position = prng.int32(generator, 0, length - 1);
    const deletes = prng.bool(generator);
    const text = deletes ? '' : prng.word(generator, 1, 9);
    edits.push([position, deletes ? 1 : 0, text]);
    length += deletes ? -1 : text.length;
  }
  return editsFrom(edits);
}
