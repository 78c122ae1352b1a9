import fc from 'fast-check';
import * as prng from 'lib0/prng';
import Delta from 'quill-delta';
import { describe, expect, test } from 'vitest';
import { createDocument } from '../../yjs-relay/document.ts';
import { bindEditor } from '../binding/binding.ts';
import type { RelayedDocument } from '../binding/relayed.ts';
import type { EditorChangeHandler } from '../editor.ts';
import { NoQuill } from '../noquill/noquill.ts';
import { type EditAccount, followEdits, placeHash } from './ledger.ts';

interface User {
  editor: NoQuill;
  document: RelayedDocument;
  show(change: Delta): void;
  account(): EditAccount;
}

function join(number: number): User {
  const editor = new NoQuill();
  const ledger = followEdits(editor);
  const document = createDocument();
  const binding = bindEditor({
    editor,
    contents: document.contents(),
    onChange: (change) => document.change(change),
  });
  if (number === 0) ledger.claimEnd();
  return { editor, document, show: binding.show, account: () => ledger.account() };
}

/** Everyone gets everyone else's messages. */
function exchange(users: readonly User[]): void {
  const messages = users.map(({ document }) => document.takeMessage());
  for (const [index, user] of users.entries()) {
    const ofOthers = messages.filter((message, from) => message !== null && from !== index) as Uint8Array[];
    if (ofOthers.length > 0) user.show(user.document.receive(ofOthers));
  }
}

const sum = (users: readonly User[], of: (account: EditAccount) => number) =>
  users.reduce((total, { account }) => total + of(account()), 0);

const hashOfAll = (length: number) => Array.from({ length }, (_, place) => placeHash(place)).reduce((a, b) => a + b, 0);

type Step =
  | ({ user: number; at: number } & ({ insert: string } | { delete: number } | { format: number }))
  | 'exchange';
const user = fc.nat(2);
const at = fc.nat(80);
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ user, at, insert: fc.constantFrom('a', 'bc', '\n', 'def', '😀') }) },
    { weight: 4, arbitrary: fc.record({ user, at, delete: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ user, at, format: fc.integer({ min: 1, max: 9 }) }) },
    { weight: 3, arbitrary: fc.constant('exchange' as const) },
  ),
  { minLength: 10, maxLength: 60 },
);

function play(users: readonly User[], list: readonly Step[]): void {
  for (const step of list) {
    if (step === 'exchange') {
      exchange(users);
      continue;
    }
    const { editor } = users[step.user]!;
    const last = editor.getLength() - 1;
    const index = step.at % (last + 1);
    if ('insert' in step) editor.insertText(index, step.insert, 'user');
    else if ('delete' in step) editor.deleteText(index, Math.min(step.delete, last - index), 'user');
    else editor.formatText(index, Math.min(step.format, last - index), { bold: true }, 'user');
  }
  exchange(users);
}

describe('three users of a library that merges', () => {
  test('claim the whole document, each place once, and nothing is taken that nobody deleted', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const users = [join(0), join(1), join(2)];
        play(users, list as Step[]);
        const length = users[0]!.editor.getLength();
        expect(sum(users, ({ claimedCharacters }) => claimedCharacters)).toBe(length);
        expect(sum(users, ({ claimedHash }) => claimedHash)).toBe(hashOfAll(length));
        for (const { account } of users) expect(account().documentHash).toBe(hashOfAll(length));
        const taken = sum(users, ({ takenCharacters }) => takenCharacters);
        expect(taken).toBeLessThanOrEqual(sum(users, (account) => account.deletedOfOthersCharacters));
      }),
      { numRuns: 200 },
    );
  });

  test('who deletes others’ text and one’s own is accounted for apart', () => {
    const users = [join(0), join(1)];
    const [one, other] = users as [User, User];
    one.editor.insertText(0, 'one ', 'user');
    exchange(users);
    other.editor.insertText(4, 'two', 'user');
    other.editor.deleteText(2, 3, 'user');
    exchange(users);
    expect(other.editor.getText()).toBe('onwo\n');
    expect(other.account()).toMatchObject({
      insertedCharacters: 3,
      deletedCharacters: 3,
      deletedOfOthersCharacters: 2,
      takenCharacters: 0,
      claimedCharacters: 2,
    });
    expect(one.account()).toMatchObject({ insertedCharacters: 4, takenCharacters: 2, claimedCharacters: 3 });
  });
});

test('of equal letters side by side, the one counts that the framework put in, whichever the editor names', () => {
  const editor = new NoQuill();
  const { on } = editor;
  // As Quill does where it cannot hold a format that came along: it compares texts, and both letters are an "e".
  const named = new Delta().retain(1).insert('e');
  editor.on = ((event: 'editor-change', handler: EditorChangeHandler) =>
    on.call(editor, event, (name, change, before, source) =>
      handler(name, source === 'binding' ? named : change, before, source),
    )) as typeof on;
  const ledger = followEdits(editor);
  editor.insertText(0, 'e', 'user');
  editor.updateContents(new Delta().insert('e'), 'binding');
  expect(editor.getText()).toBe('ee\n');
  expect(ledger.account()).toMatchObject({ claimedCharacters: 1, claimedHash: placeHash(1) });
});

describe('what a framework does wrong shows', () => {
  const alone = () => join(0);

  test('a deletion that is rolled back: at its author as restored, and as text that nobody claims', () => {
    const { editor, account } = alone();
    editor.insertText(0, 'abcd', 'user');
    editor.deleteText(1, 2, 'user');
    editor.updateContents(new Delta().retain(1).insert('bc'), 'binding');
    expect(account()).toMatchObject({ restoredCharacters: 2, claimedCharacters: 3 });
    expect(editor.getLength()).toBe(5);
  });

  test('also where others typed before it in the meantime', () => {
    const { editor, account } = alone();
    editor.insertText(0, 'abcd', 'user');
    editor.deleteText(1, 2, 'user');
    editor.updateContents(new Delta().insert('new '), 'binding');
    editor.updateContents(new Delta().retain(5).insert('bc'), 'binding');
    expect(account().restoredCharacters).toBe(2);
  });

  test('what many others type at the same place is told from it, however much it is', () => {
    const generator = prng.create(1);
    const letter = () => 'eeeetttaaoinshr'[prng.int32(generator, 0, 14)]!;
    const { editor, account } = alone();
    for (let round = 0; round < 600; round++) {
      editor.insertText(0, letter(), 'user');
      editor.deleteText(0, 1, 'user');
      editor.updateContents(new Delta().insert(letter()), 'binding');
    }
    const { restoredCharacters, restoredByChanceCharacters } = account();
    expect(restoredCharacters).toBeGreaterThan(300);
    expect(Math.abs(restoredCharacters - restoredByChanceCharacters!)).toBeLessThan(0.05 * 600);
  });

  test('deletions that are all rolled back are no chance', () => {
    const { editor, account } = alone();
    editor.insertText(0, 'abcdefgh', 'user');
    for (const [index, text] of [...'abcdefgh'].entries()) {
      editor.deleteText(index, 1, 'user');
      editor.updateContents(new Delta().retain(index).insert(text), 'binding');
    }
    expect(account()).toMatchObject({ restoredCharacters: 8, restoredByChanceCharacters: 0 });
  });

  test('what others replace in one change is not gone, and what they take out is', () => {
    const { editor, account } = alone();
    editor.insertText(0, 'a whole paragraph', 'user');
    editor.updateContents(new Delta().insert('another one').delete(17), 'binding');
    expect(account().mostVanishedCharacters).toBe(6);
    for (const length of [9, 2]) editor.updateContents(new Delta().delete(length), 'binding');
    editor.deleteText(0, 1, 'user');
    expect(account().mostVanishedCharacters).toBe(9);
  });

  test('an insertion that is doubled is nobody’s', () => {
    const { editor, account } = alone();
    editor.insertText(0, 'a', 'user');
    editor.updateContents(new Delta().insert('a'), 'binding');
    expect(account().claimedCharacters).toBe(editor.getLength() - 1);
  });

  test('an insertion that is taken back was taken', () => {
    const { editor, account } = alone();
    editor.insertText(0, 'ab', 'user');
    editor.updateContents(new Delta().delete(1), 'binding');
    expect(account()).toMatchObject({ takenCharacters: 1, claimedCharacters: 2 });
  });

  test('a deletion that a binding rolls back within the editor’s own event', () => {
    const { editor, account } = alone();
    editor.insertText(0, 'abcd', 'user');
    editor.on('editor-change', (name, change, _before, source) => {
      if (name !== 'text-change' || source !== 'user') return;
      if ((change as Delta).ops.some((op) => op.delete !== undefined)) {
        editor.updateContents(new Delta().retain(1).insert('bc'), 'binding');
      }
    });
    editor.deleteText(1, 2, 'user');
    expect(account()).toMatchObject({ restoredCharacters: 2, claimedCharacters: 3 });
  });

  test('what others left before counts as the user’s who claims it, however late it comes, and nothing later', () => {
    const editor = new NoQuill();
    const ledger = followEdits(editor);
    ledger.claimEnd();
    ledger.claimFound();
    editor.updateContents(new Delta().insert('left'), 'binding');
    expect(ledger.account().claimedCharacters).toBe(1);
    editor.insertText(0, 'own', 'user');
    editor.updateContents(new Delta().insert('theirs'), 'binding');
    editor.insertText(0, 'x', 'user');
    expect(ledger.account().claimedCharacters).toBe('left\nownx'.length);
    expect(ledger.textSamples().at(-1)!.slice(1)).toEqual([9, 6]);
  });

  test('samples whose text it is with the first own key of each second, and in the end', () => {
    let nowMs = 0;
    const editor = new NoQuill();
    const ledger = followEdits(editor, () => nowMs);
    ledger.claimEnd();
    for (const atMs of [1000, 1900, 2500, 3400, 3500]) {
      nowMs = atMs;
      editor.updateContents(new Delta().insert('theirs'), 'binding');
      editor.insertText(0, 'own', 'user');
    }
    editor.updateContents(new Delta().delete(4), 'binding');
    nowMs = 4600;
    editor.deleteText(0, 1, 'user');
    expect(ledger.textSamples()).toEqual([
      [1000, 1, 6],
      [2500, 7, 18],
      [3500, 13, 30],
      [4600, 13, 29],
      // The deleted letter counts until its author had a second to hear of it.
      [4601, 13, 29],
    ]);
    expect(ledger.account().claimedCharacters).toBe(13);
  });

  describe('a format that is taken back', () => {
    const undoing = (from: number, to: number) => new Delta().retain(from).retain(to - from, { bold: null });
    const formatted = () => {
      let nowMs = 0;
      const editor = new NoQuill();
      const ledger = followEdits(editor, () => nowMs);
      editor.insertText(0, 'first line\nsecond line', 'user');
      editor.formatText(6, 11, { bold: true }, 'user');
      return { editor, account: () => ledger.account(), pass: (ms: number) => (nowMs += ms) };
    };

    test('was undone if others soon set most of it anew, wherever it is then', () => {
      const { editor, account } = formatted();
      expect(account()).toMatchObject({ formats: 1, undoneFormats: 0 });
      editor.updateContents(new Delta().insert('before '), 'binding');
      editor.updateContents(undoing(13, 17), 'binding');
      expect(account()).toMatchObject({ undoneFormats: 0 });
      editor.updateContents(undoing(18, 20), 'binding');
      expect(account()).toMatchObject({ formats: 1, undoneFormats: 1 });
      editor.updateContents(undoing(20, 24), 'binding');
      expect(account()).toMatchObject({ undoneFormats: 1 });
    });

    test('is chance if others set the other format there, and a failure only without that', () => {
      const { editor, account } = formatted();
      editor.updateContents(new Delta().retain(6).retain(11, { italic: true }), 'binding');
      editor.updateContents(new Delta().retain(6).retain(11, { italic: null }), 'binding');
      expect(account()).toMatchObject({ undoneFormats: 0, undoneFormatsByChance: 1 });
      editor.updateContents(new Delta().retain(6).retain(11, { bold: null, italic: true }), 'binding');
      expect(account()).toMatchObject({ undoneFormats: 1, undoneFormatsByChance: 1 });
    });

    test('counts for text that was typed with it, too, a stretch at a time', () => {
      const { editor, account } = formatted();
      for (const [at, key] of [...'bold'].entries()) editor.insertText(at, key, { bold: true }, 'user');
      expect(account()).toMatchObject({ formats: 2, undoneFormats: 0 });
      editor.updateContents(undoing(0, 2), 'binding');
      expect(account()).toMatchObject({ undoneFormats: 0 });
      editor.updateContents(undoing(2, 4), 'binding');
      expect(account()).toMatchObject({ formats: 2, undoneFormats: 1, undoneFormatsByChance: 0 });
    });

    test('of a line has no chance to be told by, so it counts as such', () => {
      const { editor, account } = formatted();
      editor.formatLine(0, 1, { header: 1 }, 'user');
      editor.updateContents(new Delta().retain(10).retain(1, { header: null }), 'binding');
      expect(account()).toMatchObject({ undoneFormats: 1, undoneFormatsByChance: 1 });
    });

    test('was not by another format, elsewhere, by the user itself, or after a while', () => {
      const { editor, account, pass } = formatted();
      editor.updateContents(new Delta().retain(6).retain(11, { italic: true }), 'binding');
      editor.updateContents(undoing(0, 6), 'binding');
      editor.formatText(6, 4, { bold: false }, 'user');
      pass(5000);
      editor.updateContents(undoing(10, 17), 'binding');
      expect(account()).toMatchObject({ formats: 2, undoneFormats: 0 });
    });
  });
});
