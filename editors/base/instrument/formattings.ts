/** Formats that a user's own edits set, and their fate: others' changes may set them anew soon, which undoes them. */
import type Delta from 'quill-delta';

export interface FormatAccount {
  /** The user's own edits that set formats of text which was there, and stretches typed in bold or italic. */
  formats: number;
  /** Those of them that others' changes soon set anew, mostly. */
  undoneFormats: number;
  /** Expected by chance: those where others set the other of bold and italic, and those of whole lines. */
  undoneFormatsByChance: number;
}

/** One such edit or stretch, from its first character to its last. */
interface Formatting {
  from: number;
  to: number;
  names: readonly string[];
  /** One for each character and format; those that others set anew so far, and those whose counterparts they set. */
  size: number;
  undone: number;
  byChance: number;
  atMs: number;
}

/** A later format by others is one of their own, not an undoing. */
const UNDOING_LIMIT_MS = 5000;
/** Users set one as often as the other, so text that others make italic tells how often they make it bold. */
const COUNTERPARTS: Readonly<Record<string, string>> = { bold: 'italic', italic: 'bold' };

export class Formattings {
  /** Those of the last seconds that are not undone. */
  #watched: Formatting[] = [];
  readonly account = { formats: 0, undoneFormats: 0, undoneFormatsByChance: 0 } satisfies FormatAccount;

  /** A change of the user's own, which is in the document. */
  add(change: Delta, atMs: number): void {
    for (const formatting of [setBy(change, atMs), typedBy(change, atMs)]) {
      if (formatting === null || this.#prolongs(formatting)) continue;
      this.#watched.push(formatting);
      this.account.formats++;
    }
  }

  /** Others set formats of a stretch. */
  setAnew(from: number, to: number, names: readonly string[]): void {
    this.#watched = this.#watched.filter((formatting) => {
      const common = Math.max(0, Math.min(to, formatting.to) - Math.max(from, formatting.from));
      const half = formatting.size / 2;
      const wasByChance = formatting.byChance > half;
      const anew = formatting.names.filter((name) => names.includes(name));
      const beside = formatting.names.filter(
        (name) => !anew.includes(name) && names.includes(COUNTERPARTS[name] ?? ''),
      );
      formatting.undone += common * anew.length;
      formatting.byChance += common * beside.length;
      const isUndone = formatting.undone > half;
      if (isUndone) this.account.undoneFormats++;
      const isOfLines = anew.some((name) => !(name in COUNTERPARTS));
      if (isUndone ? isOfLines : formatting.byChance > half && !wasByChance) this.account.undoneFormatsByChance++;
      return !isUndone;
    });
  }

  shift(shift: (index: number) => number): void {
    for (const formatting of this.#watched) {
      formatting.from = shift(formatting.from);
      formatting.to = shift(formatting.to);
    }
  }

  forget(nowMs: number): void {
    this.#watched = this.#watched.filter(({ atMs }) => atMs > nowMs - UNDOING_LIMIT_MS);
  }

  /** True if the last stretch goes on with it, key after key. */
  #prolongs({ from, to, names, size, atMs }: Formatting): boolean {
    const last = this.#watched.at(-1);
    if (last?.to !== from || String(last.names) !== String(names)) return false;
    last.to = to;
    last.size += size;
    last.atMs = atMs;
    return true;
  }
}

/** The formats that a change sets; null: none on text that was there. */
function setBy({ ops }: Delta, atMs: number): Formatting | null {
  const names = new Set<string>();
  let [index, from, to, size] = [0, Number.POSITIVE_INFINITY, 0, 0];
  for (const { insert: text, retain, attributes = {} } of ops) {
    const length = typeof text === 'string' ? text.length : Number(retain ?? 0);
    const set = text === undefined ? Object.keys(attributes) : [];
    if (set.length > 0) {
      for (const name of set) names.add(name);
      from = Math.min(from, index);
      to = index + length;
      size += set.length * length;
    }
    index += length;
  }
  return size === 0 ? null : { from, to, names: [...names], size, undone: 0, byChance: 0, atMs };
}

/** The text that a change puts in, in bold or italic; null: none. */
function typedBy({ ops }: Delta, atMs: number): Formatting | null {
  let from = 0;
  for (const { insert: text, retain, attributes = {} } of ops) {
    const names = Object.keys(attributes).filter((name) => name in COUNTERPARTS);
    if (typeof text === 'string' && names.length > 0) {
      return { from, to: from + text.length, names, size: names.length * text.length, undone: 0, byChance: 0, atMs };
    }
    from += typeof text === 'string' ? text.length : Number(retain ?? 0);
  }
  return null;
}
