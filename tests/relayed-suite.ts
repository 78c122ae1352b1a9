/** Rules for every relayed document, played by a few replicas at a relay without a network. For tests. */
import fc from 'fast-check';
import Delta, { type AttributeMap } from 'quill-delta';
import { test } from 'vitest';
import { LINE_FORMAT } from '../editors/base/binding/line-formats.ts';
import type { RelayedDocument } from '../editors/base/binding/relayed.ts';
import { canonicalDelta } from '../editors/base/delta.ts';

/** Positions are drawn without knowing the document, and taken modulo its length. */
type Edit =
  | { edit: 'insert'; at: number; text: string; attributes: AttributeMap }
  | { edit: 'delete'; at: number; length: number }
  | { edit: 'format'; at: number; length: number; attributes: AttributeMap }
  | { edit: 'format line'; at: number; line: string | null }
  | { edit: 'delete all' };
type Step =
  | ({ replica: number } & Edit)
  | { replica: number; send: true }
  /** Takes in up to so many messages as one batch. */
  | { replica: number; receive: number }
  | { join: true }
  /** The relay starts anew: its log is gone, and all bring it the whole document, this one and those after it first. */
  | { replica: number; restart: true };

/** One character of two UTF-16 units, one with a combining mark, one read from right to left, and ends of lines. */
const text = fc.constantFrom('a', 'bc', 'x y', '\n', 'd\n\n', '😀', 'e\u0301', 'אב', 'f👩‍👧g');
const at = fc.nat(60);
const length = fc.integer({ min: 1, max: 12 });
/** Taken modulo the number of those who are there: three at first, then newcomers, too. */
const replica = fc.nat(5);

/** Few enough joins that the replicas stay few; most steps are edits that cross on the way. */
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        replica,
        edit: fc.constant('insert' as const),
        at,
        text,
        attributes: fc.constantFrom({}, { bold: true }, { italic: true }, { bold: true, italic: true }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ replica, edit: fc.constant('delete' as const), at, length }) },
    {
      weight: 3,
      arbitrary: fc.record({
        replica,
        edit: fc.constant('format' as const),
        at,
        length,
        attributes: fc.constantFrom({ bold: true }, { bold: null }, { italic: true }, { italic: null, bold: true }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        replica,
        edit: fc.constant('format line' as const),
        at,
        line: fc.constantFrom('header:1', 'list:"bullet"', null),
      }),
    },
    { weight: 1, arbitrary: fc.record({ replica, edit: fc.constant('delete all' as const) }) },
    { weight: 5, arbitrary: fc.record({ replica, send: fc.constant(true as const) }) },
    { weight: 5, arbitrary: fc.record({ replica, receive: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ join: fc.constant(true as const) }) },
    { weight: 1, arbitrary: fc.record({ replica, restart: fc.constant(true as const) }) },
  ),
  { minLength: 20, maxLength: 60 },
);

/**
 * The test of every relayed document: its replicas and their editors agree, those of newcomers too.
 *
 * @param options.load     contents of a saved state
 * @param options.compact  as in the server half; absent if the relay keeps no saved state
 * @param options.opensLog false if a newcomer can open a saved state, but not the messages themselves
 * @param options.runs     number of random sessions
 */
export function testRelayedDocument(options: {
  create: () => RelayedDocument;
  load: (saved: Uint8Array) => Delta;
  compact?: (savedState: Uint8Array | null, log: readonly Uint8Array[]) => Uint8Array;
  opensLog?: boolean;
  runs?: number;
}): void {
  const { create, load, compact, opensLog = true, runs = 100 } = options;
  /** A saved state goes on with the messages after it, in the relay or at the newcomer. */
  const savedStateOf = (log: readonly Uint8Array[], isLog: boolean) => {
    if (log.length === 0) return [];
    const half = log.length >> 1;
    const saved = half === 0 && !isLog ? null : compact!(null, log.slice(0, half));
    return isLog ? [saved!, ...log.slice(half)] : [compact!(saved, log.slice(half))];
  };
  const title = 'changes compose to the contents, replicas agree, newcomers too, and a saved state holds the same';
  test(title, { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (drawn, isLog) => {
        const join = (log: readonly Uint8Array[]) => {
          const document = create();
          const handed = compact === undefined || (isLog && opensLog) ? [...log] : savedStateOf(log, isLog);
          if (document.open === undefined) document.receive(handed);
          else document.open(handed);
          return document;
        };
        playSteps({ steps: drawn, join, load });
      }),
      { numRuns: runs },
    );
  });
}

interface Member {
  document: RelayedDocument;
  /** The screen of an editor that started with the document's contents and got every change since. */
  shown: Delta;
  /** How far into the log this replica has read. */
  read: number;
}

/**
 * Plays the steps. After each one the replica's document must be what its editor shows: the user's edits and the changes
 * that `receive` returned compose to exactly the contents. In the end all must hold the same, and one that joins then, too.
 *
 * @param options.join    a document that opened what the relay holds after these messages
 * @param options.load    the contents of a document's saved state
 * @throws Error naming the step after which a document differs, and both contents
 */
function playSteps(options: {
  steps: readonly Step[];
  join: (log: readonly Uint8Array[]) => RelayedDocument;
  load: (saved: Uint8Array) => Delta;
}): void {
  const log: { message: Uint8Array; from: Member }[] = [];
  const join = (): Member => {
    const document = options.join(log.map(({ message }) => message));
    return { document, shown: document.contents(), read: log.length };
  };
  const send = (member: Member) => {
    const message = member.document.takeMessage();
    if (message !== null) log.push({ message, from: member });
  };
  const receive = (member: Member, count: number) => {
    const batch = log.slice(member.read, member.read + count);
    member.read += batch.length;
    const messages = batch.filter(({ from }) => from !== member).map(({ message }) => message);
    if (messages.length > 0) member.shown = member.shown.compose(member.document.receive(messages));
  };

  const members = [join(), join(), join()];
  const restart = (first: Member) => {
    if (first.document.wholeAsMessage === undefined) return;
    log.length = 0;
    const place = members.indexOf(first);
    for (const member of [...members.slice(place), ...members.slice(0, place)]) {
      // The document has the unsent changes, too.
      member.document.takeMessage();
      log.push({ message: member.document.wholeAsMessage!(), from: member });
      member.read = 0;
    }
  };
  for (const step of options.steps) {
    if ('join' in step) {
      members.push(join());
      continue;
    }
    const member = members[step.replica % members.length]!;
    if ('restart' in step) restart(member);
    else if ('send' in step) send(member);
    else if ('receive' in step) receive(member, step.receive);
    else {
      const change = toDelta(step, member.shown);
      member.document.change(change);
      member.shown = member.shown.compose(change);
    }
    assertSame(`after ${JSON.stringify(step)}`, member.shown, member.document.contents());
  }
  for (let length = -1; log.length > length; ) {
    length = log.length;
    for (const member of members) send(member);
    for (const member of members) receive(member, log.length);
  }
  members.push(join());
  const final = members[0]!.shown;
  for (const { document, shown } of members) {
    assertSame('what a replica shows in the end', final, shown);
    assertSame('what a replica holds in the end', final, document.contents());
    assertSame('a saved state', final, options.load(document.save()));
  }
}

function assertSame(what: string, expected: Delta, actual: Delta): void {
  const [one, other] = [expected, actual].map((delta) => JSON.stringify(canonicalDelta(delta).ops));
  if (one !== other) throw new Error(`${what}: expected ${one}, got ${other}`);
}

/** The edit as an editor would report it: within the document, its last "\n" kept, no character split. */
function toDelta(edit: Edit, shown: Delta): Delta {
  const content = shown.ops.map(({ insert }) => insert).join('');
  const last = content.length - 1;
  if (edit.edit === 'delete all') return new Delta().delete(last);
  const start = wholeCharacter(content, edit.at % content.length);
  if (edit.edit === 'insert') return new Delta().retain(start).insert(edit.text, edit.attributes);
  if (edit.edit === 'format line') {
    return new Delta().retain(content.indexOf('\n', start)).retain(1, { [LINE_FORMAT]: edit.line });
  }
  const taken = wholeCharacter(content, Math.min(start + edit.length, last)) - start;
  const change = new Delta().retain(start);
  return edit.edit === 'delete' ? change.delete(taken) : change.retain(taken, edit.attributes);
}

/** The index, or the one before it where it is in the middle of a character. */
function wholeCharacter(content: string, index: number): number {
  return /^[\uDC00-\uDFFF]/.test(content.slice(index)) ? index - 1 : index;
}
