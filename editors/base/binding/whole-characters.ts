/**
 * Quill finds out by comparing texts what the user did, UTF-16 unit by unit. Where an emoji is put before one that begins
 * with the same unit (🏽 and 🎉 do), the change that it tells cuts both in two. Frameworks that store characters cannot
 * hold halves, so the bindings of the project say the same change in whole characters.
 */
import Delta, { type AttributeMap } from 'quill-delta';

interface Character {
  text: string;
  attributes: AttributeMap | undefined;
}

/**
 * The same change, cutting no character in two: it makes the same document of `before`.
 *
 * @param before the document that the change was made to
 */
export function wholeCharacters(change: Delta, before: Delta): Delta {
  if (!cutsCharacters(change, before)) return change;
  const after = before.compose(change);
  const [first] = change.ops;
  const kept = first !== undefined && typeof first.retain === 'number' && !first.attributes ? first.retain : 0;
  const from = isCut(before, kept) || isCut(after, kept) ? kept - 1 : kept;
  const changedTo = change.ops.reduce((sum, { retain, delete: deleted }) => sum + Number(retain ?? deleted ?? 0), 0);
  const to =
    isCut(before, changedTo) || isCut(after, after.length() - (before.length() - changedTo))
      ? changedTo + 1
      : changedTo;

  const old = charactersOf(before.slice(from, to));
  const now = charactersOf(after.slice(from, after.length() - (before.length() - to)));
  let same = 0;
  while (same < Math.min(old.length, now.length) && isSame(old[same]!, now[same]!)) same++;
  let sameEnd = 0;
  while (
    sameEnd < Math.min(old.length, now.length) - same &&
    isSame(old[old.length - 1 - sameEnd]!, now[now.length - 1 - sameEnd]!)
  ) {
    sameEnd++;
  }
  const result = new Delta().retain(from + lengthOf(old.slice(0, same)));
  for (const { text, attributes } of now.slice(same, now.length - sameEnd)) result.insert(text, attributes);
  return result.delete(lengthOf(old.slice(same, old.length - sameEnd)));
}

/** Most changes are seen to be harmless without a look at the document, which may be long. */
function cutsCharacters({ ops }: Delta, before: Delta): boolean {
  if (ops.some(({ insert }) => typeof insert === 'string' && !insert.isWellFormed())) return true;
  // One unit alone can only be a whole character; two may be the ends of two.
  if (!ops.some(({ delete: deleted = 0 }) => deleted > 1)) return false;
  let index = 0;
  return ops.some(({ retain, delete: deleted }) => {
    const start = index;
    index += Number(retain ?? deleted ?? 0);
    return index > start && (isCut(before, start) || isCut(before, index));
  });
}

/** True if the place before `index` is within a character. */
function isCut(document: Delta, index: number): boolean {
  const around = document
    .slice(Math.max(0, index - 1), index + 1)
    .ops.map(({ insert }) => (typeof insert === 'string' ? insert : '\0'))
    .join('');
  return index > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(around);
}

function charactersOf(document: Delta): Character[] {
  return document.ops.flatMap(({ insert, attributes }) =>
    typeof insert === 'string' ? [...insert].map((text) => ({ text, attributes })) : [],
  );
}

function isSame(one: Character, other: Character): boolean {
  return one.text === other.text && JSON.stringify(one.attributes) === JSON.stringify(other.attributes);
}

function lengthOf(characters: readonly Character[]): number {
  return characters.reduce((sum, { text }) => sum + text.length, 0);
}
