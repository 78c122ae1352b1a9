/**
 * YATA as its paper has it: a character stands between the two that it was typed between, and of several there at once those
 * that were typed behind one another stay together, by the replicas' numbers.
 *
 * @see Nicolaescu, Jahns, Derntl and Klamma 2016, "Near Real-Time Peer-to-Peer Shared Editing on Extensible Data Types"
 */
import type { Engine } from './engine.ts';
import { type Character, openDocument, type Placing, replicaOf } from './reference.ts';

/** The characters that it was typed between; null: the beginning, the end. */
type Origins = [left: number | null, right: number | null];

interface YataCharacter extends Character {
  origins: Origins;
}

const placing: Placing<YataCharacter, Origins> = {
  placeOf: (left, right) => [left?.id ?? null, right?.id ?? null],
  create: (character, origins) => ({ ...character, origins }),
  leftOf(item, text) {
    const [leftOrigin, rightOrigin] = item.origins;
    let left = leftOrigin === null ? null : text.find(leftOrigin);
    const end = rightOrigin === null ? null : text.find(rightOrigin);
    /** Characters that were passed, and those of them that stand behind `left`: their order is still open. */
    const passed = new Set<number>();
    const open = new Set<number>();
    let other = left === null ? text.first : (left.next as YataCharacter | null);
    for (; other !== null && other !== end; other = other.next as YataCharacter | null) {
      passed.add(other.id);
      open.add(other.id);
      const [origin, right] = other.origins;
      const isRival = origin === leftOrigin;
      const goesBefore = isRival
        ? replicaOf(other.id) < replicaOf(item.id)
        : origin !== null && passed.has(origin) && !open.has(origin);
      const endsHere = isRival ? !goesBefore && right === rightOrigin : origin === null || !passed.has(origin);
      if (endsHere) break;
      if (goesBefore) {
        left = other;
        open.clear();
      }
    }
    return left;
  },
};

export const engine: Engine = {
  about: { package: null, algorithm: 'YATA, a linked list', licence: 'Apache-2.0', kind: 'reference' },
  open: (options) => openDocument(options, placing),
};
