/** A history that two processes can make alike: a page is pasted, and then keys are typed and deleted at random places. */
import * as prng from 'lib0/prng';
import { type History, historyOf } from '../history.ts';

/** Long, so that writing the state takes a good part of the time, and is often what a kill meets. */
const PAGE_CHARACTERS = 8000;
const EDITS = 1500;

/** Each edit makes the text longer or shorter, so that no two states in a row are alike. */
export function typedHistory(seed: number): History {
  const generator = prng.create(seed);
  const positions = [0];
  const deleted = [0];
  const inserted = [prng.word(generator, PAGE_CHARACTERS, PAGE_CHARACTERS)];
  let length = PAGE_CHARACTERS;
  for (let edit = 1; edit < EDITS; edit++) {
    const position = prng.int32(generator, 0, length - 1);
    const deletes = prng.bool(generator);
    const text = deletes ? '' : prng.word(generator, 1, 9);
    positions.push(position);
    deleted.push(deletes ? 1 : 0);
    inserted.push(text);
    length += deletes ? -1 : text.length;
  }
  return historyOf({
    ...{ count: EDITS, repeat: 1, inserted, endContent: '' },
    positions: Uint32Array.from(positions),
    deleted: Uint32Array.from(deleted),
  });
}
