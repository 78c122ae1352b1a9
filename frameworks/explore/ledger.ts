/**
 * The users' view of their text: what each typed, saw and deleted, and so what the document owes them at the end. It knows no
 * algorithm: only that text which somebody present typed or saw is there, once, unless deleted, and in the order in which it
 * was typed. What a user alone had who left without a connection, or only the memory of a server that was restarted, is owed to nobody.
 */
import { marksIn, readable } from './world.ts';

/** A user, from joining to leaving. */
export interface Witness {
  name: string;
  isHere: boolean;
  /** When the server last was known to have all of it, as it left or crashed; null: never. */
  acknowledgedMs: number | null;
}

interface Mark {
  text: string;
  author: Witness;
  typedMs: number;
  /** Those beside it in the author's editor. */
  before: string | undefined;
  after: string | undefined;
  seenBy: Set<Witness>;
  /** And when. */
  deleters: Map<Witness, number>;
}

export class TextLedger {
  readonly #marks = new Map<string, Mark>();
  /** How often each character was typed. */
  readonly #typed = new Map<string, number>([['\n', 1]]);
  /** How often each character was in text that somebody deleted. */
  readonly #deleted = new Map<string, number>();
  /** Those that one change took, by the one that it put in their place. */
  readonly #replaced = new Map<string, string[]>();
  readonly #restartsMs: number[] = [];
  readonly #writtenMs: number | null;
  /** The first text that somebody saw go before its replacement came; null: none. */
  torn: string | null = null;

  /** @param writtenMs as `writtenMsOf` has it */
  constructor(writtenMs: number | null = null) {
    this.#writtenMs = writtenMs;
  }

  /** @param shown the author's document after it */
  typed(author: Witness, text: string, { shown, atMs }: { shown: string; atMs: number }): void {
    count(text, this.#typed);
    const [mark] = marksIn(text);
    const all = marksIn(shown);
    const place = all.indexOf(mark!);
    this.#marks.set(mark!, {
      text,
      author,
      typedMs: atMs,
      before: all[place - 1],
      after: all[place + 1],
      seenBy: new Set(),
      deleters: new Map(),
    });
  }

  saw(witness: Witness, text: string): void {
    for (const mark of marksIn(text)) this.#marks.get(mark)?.seenBy.add(witness);
  }

  forget(witness: Witness): void {
    for (const { seenBy } of this.#marks.values()) seenBy.delete(witness);
  }

  deleted(witness: Witness, text: string, atMs: number): void {
    count(text, this.#deleted);
    for (const mark of marksIn(text)) this.#marks.get(mark)?.deleters.set(witness, atMs);
  }

  /** One change put `text` in the place of `old`. */
  replaced(old: string, text: string): void {
    const marks = marksIn(old);
    if (marks.length > 0) this.#replaced.set(marksIn(text)[0]!, marks);
  }

  /** A change took something from what a user sees. */
  sawTextGo(witness: Witness, textNow: () => string): void {
    if (this.#replaced.size === 0 || !witness.isHere || this.torn !== null) return;
    const there = new Set(marksIn(textNow()));
    for (const [mark, old] of this.#replaced) {
      const { author, seenBy, deleters, text } = this.#marks.get(mark)!;
      if (author === witness || seenBy.has(witness) || deleters.size > 0) continue;
      const gone = old.find((each) => {
        const of = this.#marks.get(each)!;
        const hadIt = of.author === witness || of.seenBy.has(witness);
        return hadIt && !there.has(each) && of.deleters.size === 1;
      });
      if (gone === undefined) continue;
      const taken = quoted(this.#marks.get(gone)!.text);
      this.torn = `${witness.name} saw ${taken} go before ${quoted(text)} came, by which ${author.name} replaced it`;
    }
  }

  serverRestarted(atMs: number): void {
    this.#restartsMs.push(atMs);
  }

  /** The text of this user's last insertion, if nobody has deleted of it. */
  lastOf(author: Witness): string | null {
    const isOwn = (mark: Mark) => mark.author === author && mark.deleters.size === 0;
    return [...this.#marks.values()].findLast(isOwn)?.text ?? null;
  }

  /** Text that is owed and missing, or null. */
  missing(text: string): string | null {
    const there = new Set(marksIn(text));
    const lost = [...this.#marks].flatMap(([mark, of]) => {
      if (there.has(mark) || of.deleters.size > 0 || !this.#isOwed(of)) return [];
      return `${quoted(of.text)} of ${of.author.name}`;
    });
    return sentence(lost, 'missing') ?? this.#cutShort(text);
  }

  /** A character that is there less often than in owed text that nobody deleted, although that text's marks are there; or null. */
  #cutShort(text: string): string | null {
    const owed = new Map<string, number>();
    for (const mark of this.#marks.values()) if (this.#isOwed(mark)) count(mark.text, owed);
    const there = count(text);
    for (const [character, times] of owed) {
      const least = times - (this.#deleted.get(character) ?? 0);
      const held = there.get(character) ?? 0;
      if (held < least) return `${quoted(character)} is there ${held} times, and at least ${least} are owed`;
    }
    return null;
  }

  /** A character that is there more often than it was typed, or null. */
  invented(text: string): string | null {
    for (const [character, times] of count(text)) {
      const typed = this.#typed.get(character) ?? 0;
      if (times > typed) return `${quoted(character)} is there ${times} times, and was typed ${typed} times`;
    }
    return null;
  }

  /** Text that is there although somebody deleted it, or null. */
  risen(text: string): string | null {
    const risen = marksIn(text).flatMap((mark) => {
      const of = this.#marks.get(mark);
      const deleters = [...(of?.deleters ?? [])];
      if (of === undefined || !deleters.some(([witness, atMs]) => this.#counts(witness, atMs))) return [];
      return `${quoted(of.text)}, which ${deleters.map(([{ name }]) => name).join(' and ')} deleted,`;
    });
    return sentence(risen, 'there again');
  }

  /** Two insertions in another order than their author saw, or null. */
  reordered(text: string): string | null {
    const places = new Map(marksIn(text).map((mark, place) => [mark, place]));
    const isBefore = (one: string | undefined, other: string | undefined) => {
      const [first, second] = [places.get(one ?? ''), places.get(other ?? '')];
      return first === undefined || second === undefined || first < second;
    };
    for (const [mark, { author, before, after }] of this.#marks) {
      if (!isBefore(before, mark))
        return `${readable(mark)} of ${author.name} was typed behind ${readable(before!)}, and stands before it`;
      if (!isBefore(mark, after))
        return `${readable(mark)} of ${author.name} was typed before ${readable(after!)}, and stands behind it`;
    }
    return null;
  }

  #isOwed(mark: Mark): boolean {
    return this.#counts(mark.author, mark.typedMs) || [...mark.seenBy].some(({ isHere }) => isHere);
  }

  /** True if what this user did then reached somebody who still knows. */
  #counts({ isHere, acknowledgedMs }: Witness, atMs: number): boolean {
    if (isHere || acknowledgedMs === null) return isHere;
    // A server in memory knows it as long as it runs; a store once it has it.
    const [fromMs, untilMs] =
      this.#writtenMs === null ? [atMs, Number.POSITIVE_INFINITY] : [acknowledgedMs, acknowledgedMs + this.#writtenMs];
    return !this.#restartsMs.some((restartMs) => fromMs <= restartMs && restartMs <= untilMs);
  }
}

/** How often each character is there, added to what was counted before. */
function count(text: string, counts = new Map<string, number>()): Map<string, number> {
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

const MOST_LISTED = 3;

function quoted(text: string): string {
  const shown = readable(text);
  return `"${shown.length > 20 ? `${shown.slice(0, 20)}…` : shown}"`;
}

/** @returns null of none */
function sentence(texts: readonly string[], end: string): string | null {
  if (texts.length === 0) return null;
  const rest = texts.length - MOST_LISTED;
  const listed = texts.slice(0, MOST_LISTED).join(', ');
  return `${listed}${rest > 0 ? ` and ${rest} more` : ''} ${texts.length === 1 ? 'is' : 'are'} ${end}`;
}
