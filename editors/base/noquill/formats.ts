/** Which formats NoQuill knows, and how one changes another: as Quill with the formats that `editors/base/editor.ts` lists. */
import { type Formats, INLINE_FORMATS, isBlockFormat } from '../editor.ts';

/** The formats of a run, without those that are off. Equal ones are the same object: compare with `===`. */
export type Attributes = Readonly<Record<string, unknown>>;

export const PLAIN: Attributes = Object.freeze({});

const INLINE: ReadonlySet<string> = new Set(INLINE_FORMATS);
const interned = new Map<string, Attributes>();

/** The formats of a text that had `current` and is given `changes`; block formats and unknown ones do nothing to text. */
export function formatInline(current: Attributes, changes: Formats | undefined): Attributes {
  if (changes === undefined) return current;
  const next = { ...current };
  for (const [name, value] of Object.entries(changes)) {
    if (!INLINE.has(name)) continue;
    if (value) next[name] = true;
    else delete next[name];
  }
  return intern(next);
}

/**
 * The formats of a line's "\n" that had `current` and is given `changes`, one after the other. A line has one block
 * format at most: a new one replaces the old one, and taking away one that it does not have does nothing.
 */
export function formatBlock(current: Attributes, changes: Formats | undefined): Attributes {
  if (changes === undefined) return current;
  let next: Attributes = current;
  for (const [name, value] of Object.entries(changes)) {
    if (!isBlockFormat(name)) continue;
    if (value) next = { [name]: name === 'header' ? Number(value) : value };
    else if (name in next) next = PLAIN;
  }
  return intern(next);
}

/** The inline format whose element Quill puts around the others'. */
export function outermost(attributes: Attributes): Attributes {
  const name = INLINE_FORMATS.find((format) => format in attributes);
  return name === undefined ? PLAIN : intern({ [name]: attributes[name] });
}

function intern(attributes: Attributes): Attributes {
  const names = Object.keys(attributes);
  if (names.length === 0) return PLAIN;
  const key = JSON.stringify(names.sort().map((name) => [name, attributes[name]]));
  const known = interned.get(key);
  if (known !== undefined) return known;
  const fresh = Object.freeze({ ...attributes });
  interned.set(key, fresh);
  return fresh;
}
