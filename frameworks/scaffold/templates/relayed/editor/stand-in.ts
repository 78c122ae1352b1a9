/**
 * In the place of a library until there is one: a text that merges, as plain as it can be. Each character stands behind
 * the one that it was typed behind; of several typed there at once the newest stands first (RGA). Of two formats given
 * to a character at once the newer one stays. Every operation goes through the document from its start, nothing that
 * was deleted is forgotten, and messages are JSON: it is right, not quick.
 *
 * @see Roh, Jeon, Kim and Lee 2011, "Replicated abstract data types: Building blocks for collaborative applications"
 */
import Delta, { AttributeMap } from 'quill-delta';

/** Lamport's clock, and whose it is: what is newer is the same for everyone. */
type Stamp = readonly [clock: number, replica: string];

interface SavedCharacter {
  stamp: Stamp;
  /** One UTF-16 unit. */
  text: string;
  deleted: boolean;
  /** Null takes a format away; it is kept, because something older may still come. */
  formats: Record<string, { value: unknown; stamp: Stamp }>;
}

interface Character extends SavedCharacter {
  next: Character | null;
}

export type SavedText = SavedCharacter[];

export type Operation =
  /** Text behind a character. Its first unit has the stamp, each further one the next tick of the clock. */
  | { kind: 'insert'; behind: Stamp; stamp: Stamp; text: string; formats: AttributeMap }
  | { kind: 'delete'; characters: Stamp[] }
  | { kind: 'format'; characters: Stamp[]; stamp: Stamp; formats: AttributeMap };

/** Stands before the first character, and is none. */
const BEGINNING: SavedCharacter = { stamp: [0, ''], text: '', deleted: true, formats: {} };
/** What every document begins with. */
const EMPTY: SavedText = [{ stamp: [1, ''], text: '\n', deleted: false, formats: {} }];

export class StandIn {
  readonly #replica = crypto.randomUUID().slice(0, 8);
  #clock = 0;
  readonly #characters = new Map<string, Character>();
  readonly #beginning = this.#add(BEGINNING, null);

  constructor(saved: SavedText = EMPTY) {
    let last = this.#beginning;
    for (const character of saved) last = this.#add(character, last);
  }

  save(): SavedText {
    return [...this.#all()].map(({ next: _, ...character }) => character);
  }

  contents(): Delta {
    const contents = new Delta();
    for (const character of this.#all()) {
      const formats = shown(character);
      if (formats !== null) contents.insert(character.text, formats);
    }
    return contents;
  }

  /** Applies what this user did. @returns it for the others */
  change(delta: Delta): Operation[] {
    const operations: Operation[] = [];
    const carryOut = (operation: Operation) => {
      operations.push(operation);
      return this.#apply(operation);
    };
    let behind = this.#beginning;
    for (const { insert, retain, delete: deleted, attributes } of delta.ops) {
      const stamp: Stamp = [this.#clock + 1, this.#replica];
      if (typeof insert === 'string') {
        const inserted = {
          kind: 'insert',
          behind: behind.stamp,
          stamp,
          text: insert,
          formats: attributes ?? {},
        } as const;
        behind = carryOut(inserted) ?? behind;
        continue;
      }
      const passed = shownBehind(behind, Number(deleted ?? retain));
      const characters = passed.map((character) => character.stamp);
      if (deleted !== undefined) carryOut({ kind: 'delete', characters });
      else if (attributes !== undefined) carryOut({ kind: 'format', characters, stamp, formats: attributes });
      if (deleted === undefined) behind = passed.at(-1) ?? behind;
    }
    return operations;
  }

  /** Applies what others did. @returns what that changed here */
  receive(operations: readonly Operation[]): Delta {
    /** What was shown of each character that they concern; null: nothing. */
    const before = new Map<Character, AttributeMap | null>();
    for (const operation of operations) {
      this.#apply(operation, (character, formats) => {
        if (!before.has(character)) before.set(character, formats);
      });
    }
    const change = new Delta();
    let kept = 0;
    for (const character of this.#all()) {
      const was = before.get(character);
      if (was === undefined) {
        if (!character.deleted) kept++;
        continue;
      }
      const now = shown(character);
      change.retain(kept);
      kept = 0;
      if (was === null) change.insert(now === null ? '' : character.text, now);
      else if (now === null) change.delete(1);
      else change.retain(1, AttributeMap.diff(was, now));
    }
    return change.chop();
  }

  /**
   * @param touch gets each character before it changes, and what is shown of it
   * @returns     the last character that it inserted
   */
  #apply(operation: Operation, touch: (character: Character, formats: AttributeMap | null) => void = () => {}) {
    if (operation.kind === 'insert') return this.#insert(operation, touch);
    if (operation.kind === 'format') this.#clock = Math.max(this.#clock, operation.stamp[0]);
    for (const stamp of operation.characters) {
      const character = this.#find(stamp);
      touch(character, shown(character));
      if (operation.kind === 'delete') character.deleted = true;
      else giveFormats(character, operation.formats, operation.stamp);
    }
    return null;
  }

  #insert(
    { behind, stamp: [clock, replica], text, formats }: Extract<Operation, { kind: 'insert' }>,
    touch: (character: Character, formats: null) => void,
  ): Character {
    let last = this.#find(behind);
    for (let index = 0; index < text.length; index++) {
      const stamp: Stamp = [clock + index, replica];
      // What is newer was typed here at the same time, or behind what was.
      while (last.next !== null && isNewer(last.next.stamp, stamp)) last = last.next;
      last = this.#add({ stamp, text: text[index]!, deleted: false, formats: {} }, last);
      touch(last, null);
      giveFormats(last, formats, stamp);
    }
    return last;
  }

  #add(character: SavedCharacter, behind: Character | null): Character {
    const added = { ...character, formats: { ...character.formats }, next: behind?.next ?? null };
    if (behind !== null) behind.next = added;
    this.#characters.set(String(added.stamp), added);
    this.#clock = Math.max(this.#clock, added.stamp[0]);
    return added;
  }

  #find(stamp: Stamp): Character {
    return this.#characters.get(String(stamp))!;
  }

  /** All characters in order, those that are deleted, too. */
  *#all(): Generator<Character> {
    for (let each = this.#beginning.next; each !== null; each = each.next) yield each;
  }
}

/** The formats of a character that is shown; null where it is deleted. */
function shown({ deleted, formats }: Character): AttributeMap | null {
  if (deleted) return null;
  const given = Object.entries(formats).filter(([, { value }]) => value !== null);
  return Object.fromEntries(given.map(([name, { value }]) => [name, value]));
}

/** So many characters that are shown. */
function shownBehind(character: Character, count: number): Character[] {
  const found: Character[] = [];
  for (let each = character.next; found.length < count && each !== null; each = each.next) {
    if (!each.deleted) found.push(each);
  }
  return found;
}

function giveFormats({ formats }: Character, given: AttributeMap, stamp: Stamp): void {
  for (const [name, value] of Object.entries(given)) {
    const present = formats[name];
    if (present === undefined || isNewer(stamp, present.stamp)) formats[name] = { value, stamp };
  }
}

function isNewer([clock, replica]: Stamp, [thanClock, thanReplica]: Stamp): boolean {
  return clock === thanClock ? replica > thanReplica : clock > thanClock;
}
