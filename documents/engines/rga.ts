/**
 * RGA as its paper has it: a character follows the one that it was typed behind, and of several typed there at once the
 * newest stands first.
 *
 * @see Roh, Jeon, Kim and Lee 2011, "Replicated abstract data types: Building blocks for collaborative applications"
 */
import type { Engine } from './engine.ts';
import { type Character, counterOf, openDocument, type Placing, replicaOf } from './reference.ts';

interface RgaCharacter extends Character {
  /** The character that it was typed behind; null: the beginning. */
  origin: number | null;
}

const placing: Placing<RgaCharacter, number | null> = {
  placeOf: (left) => left?.id ?? null,
  create: (character, origin) => ({ ...character, origin }),
  leftOf(item, text) {
    let left = item.origin === null ? null : text.find(item.origin);
    let right = left === null ? text.first : (left.next as RgaCharacter | null);
    // Newer characters were typed here at the same time, or behind such a character.
    while (right !== null && isNewer(right.id, item.id)) {
      left = right;
      right = right.next as RgaCharacter | null;
    }
    return left;
  },
};

/** By Lamport's clock, and by replica if that is the same. */
function isNewer(id: number, than: number): boolean {
  return counterOf(id) === counterOf(than) ? replicaOf(id) > replicaOf(than) : counterOf(id) > counterOf(than);
}

export const engine: Engine = {
  about: { package: null, algorithm: 'RGA, a linked list', licence: 'Apache-2.0', kind: 'reference' },
  open: (options) => openDocument(options, placing),
};
