import { expect, test } from 'vitest';
import { toldIn } from '../test-data/told-in.ts';
import { type KeptOutcome, linesOf } from './figures.ts';
import { Ledger } from './ledger.ts';

/** Users 0 and 1 type every 100 ms; each sees the other's words 20 ms later; what is typed is acknowledged every 200 ms. */
function typing(untilMs = 1000): Ledger {
  const ledger = new Ledger();
  const users = [ledger.follow(), ledger.follow()];
  for (let number = 0, atMs = 100; atMs <= untilMs; number++, atMs += 100) {
    for (const [user, { typed, acknowledged }] of users.entries()) {
      const word = `[${user}.${number}]`;
      typed({ word, atMs });
      users[1 - user]!.shown({ words: [word], atMs: atMs + 20 });
      if (number % 2 === 1) acknowledged({ words: number + 1, atMs: atMs + 5 });
    }
  }
  return ledger;
}

const wordsUpTo = (last: number) =>
  Array.from({ length: last + 1 }, (_, number) => `[0.${number}] [1.${number}]`).join(' ');

/** Killed at 950 ms: nine words of each, of which eight are acknowledged. */
function told(given: Partial<KeptOutcome>) {
  const storedText = given.early?.storedText ?? given.endText ?? wordsUpTo(8);
  const shownMs = new Map(storedText.split(' ').map((word) => [word, 2090]));
  const lines = linesOf({
    ...{ killedMs: 950, servedMs: 2000, edits: typing().editsUntil(950), acknowledges: true },
    ...{
      before: '',
      closing: [],
      endText: wordsUpTo(8),
      refusal: null,
      sizeBytes: 4096,
      serverDied: null,
      reasons: [],
    },
    early: { joinedMs: 2100, wholeMs: 2100, isEmpty: false, shownMs, storedText, lastText: storedText },
    ...given,
  });
  return toldIn(lines);
}

test('what is there afterwards is not lost, whoever saw it', () => {
  const { figures, notes } = told({});
  expect(figures).toEqual({
    ...{ editsTyped: 18, editsLost: 0, editsLostSeen: 0, editsLostAcknowledged: 0, editsDoubled: 0 },
    ...{ atRiskSeconds: 0, newcomerLacks: 0, healed: 0, strandedUsers: 0, reopenMs: 100, sizeBytes: 4096 },
  });
  expect(notes).toEqual([]);
});

test('a lost edit is told by who had seen it, and by what the library had said of it', () => {
  const { figures, notes } = told({ endText: wordsUpTo(5) });
  expect(figures).toMatchObject({ editsLost: 6, editsLostSeen: 6, editsLostAcknowledged: 4 });
  // The oldest was typed at 700 ms.
  expect(figures.atRiskSeconds).toBeCloseTo(0.25, 5);
  expect(notes).toEqual(['lost-acknowledged', 'lost-seen']);
  const unseen = typing()
    .editsUntil(950)
    .map((edit) => ({ ...edit, seenMs: null }));
  expect(told({ endText: wordsUpTo(5), edits: unseen }).figures).toMatchObject({ editsLost: 6, editsLostSeen: 0 });
});

test('where a protocol has no acknowledgement, nobody knows how many acknowledged edits are lost', () => {
  const { figures, notes } = told({ endText: wordsUpTo(5), acknowledges: false });
  expect(figures).toMatchObject({ editsLost: 6 });
  expect(figures).not.toHaveProperty('editsLostAcknowledged');
  expect(notes).toEqual(['lost-seen']);
});

test('what was acknowledged, or typed, after the kill does not count', () => {
  const edits = typing().editsUntil(803);
  expect(edits).toHaveLength(16);
  expect(edits.filter(({ acknowledgedMs }) => acknowledgedMs === null)).toHaveLength(4);
  expect(edits.map(({ typedMs }) => typedMs)).toEqual(edits.map(({ typedMs }) => typedMs).toSorted((a, b) => a - b));
});

test('all that was typed may be gone; and what stands there twice is doubled, not kept twice', () => {
  expect(told({ endText: '\n' })).toMatchObject({
    figures: { editsLost: 18, atRiskSeconds: 0.85 },
    notes: ['lost-acknowledged', 'lost-seen', 'lost-all'],
  });
  const refused = told({ endText: '', refusal: 'it is unavailable' });
  expect(refused.figures).toMatchObject({ editsLost: 18, editsLostAcknowledged: 16 });
  expect(refused.notes).toContain('no-document');
  const twice = told({ endText: `${wordsUpTo(8)} [0.3] [0.3] [1.8]` });
  expect(twice).toMatchObject({ figures: { editsLost: 0, editsDoubled: 2 }, notes: ['doubled-edits'] });
});

test('the store’s part of a document is told from what its first newcomer lacked, and from what came back by others', () => {
  const shownMs = new Map(
    wordsUpTo(6)
      .split(' ')
      .map((word, index) => [word, index < 10 ? 2090 : 2300]),
  );
  const texts = { storedText: wordsUpTo(6), lastText: wordsUpTo(8) };
  const early = { joinedMs: 2100, wholeMs: 2300, isEmpty: false, shownMs, ...texts };
  const { figures, notes } = told({ early });
  // Its first document had ten words, the store had 14, and all 18 are there in the end.
  expect(figures).toMatchObject({ newcomerLacks: 8, healed: 4, editsLost: 0, reopenMs: 300 });
  expect(notes).toEqual(['early-old']);
  expect(told({ early, endText: wordsUpTo(7) }).notes).toContain('lost-at-end');
  const late = { ...early, shownMs: new Map([...shownMs.keys()].map((word) => [word, 2101])) };
  // It had what was there before.
  expect(told({ early: late })).toMatchObject({ figures: { newcomerLacks: 18 }, notes: ['early-old'] });
  expect(told({ early: { ...late, isEmpty: true } })).toMatchObject({ notes: ['early-empty'] });
});

test('an empty document is told if the store had the text of before, even if all that was typed is lost', () => {
  const early = { joinedMs: 2100, wholeMs: 2300, isEmpty: true, shownMs: new Map(), storedText: '', lastText: '' };
  const before = 'as it was\n';
  expect(told({ before, early, endText: before }).notes).toContain('early-empty');
  expect(told({ early, endText: '\n' }).notes).not.toContain('early-empty');
});

test('where nobody typed before the kill nothing is known, whether the clients or the experiment is to blame', () => {
  const of = { killedMs: 950, servedMs: 2000, edits: [], acknowledges: true, before: '', early: null, closing: [] };
  const rest = { endText: '\n', refusal: null, sizeBytes: null, serverDied: null };
  expect(linesOf({ ...of, ...rest, reasons: [] })).toMatchObject([{ type: 'fault', code: 'nothing-typed' }]);
  expect(linesOf({ ...of, ...rest, reasons: ['it threw at an edit: no'] })).toMatchObject([
    { type: 'failure', message: expect.stringMatching(/: it threw at an edit: no$/) },
  ]);
});

test('a newcomer who is not let in is told, and what only it could tell is not known', () => {
  const { figures, notes } = told({ early: null, serverDied: 'ended with exit code 1' });
  for (const name of ['newcomerLacks', 'healed', 'reopenMs']) expect(figures).not.toHaveProperty(name);
  expect(notes).toEqual(['early-refused', 'server-died']);
});

test('how long it takes to open the document is not known if its text of before never comes whole', () => {
  const early = { joinedMs: 2100, wholeMs: null, isEmpty: false, shownMs: new Map(), storedText: '', lastText: '' };
  expect(told({ early }).figures).not.toHaveProperty('reopenMs');
});

test('a user who stayed is stranded if what it types once the server is back does not arrive', () => {
  const { figures, notes } = told({ closing: ['[0.9]', '[1.9]'], endText: `${wordsUpTo(8)} [1.9]` });
  expect(figures).toMatchObject({ strandedUsers: 1 });
  expect(notes).toEqual(['stranded']);
});

test('text of before that is not there any more is told, however many words stand in it', () => {
  const before = 'as it was\n';
  const end = (text: string) => told({ before, endText: `${wordsUpTo(8)} ${text}` }).notes;
  expect(end(before)).toEqual([]);
  expect(end('as it\n')).toEqual(['lost-before']);
  expect(told({ before, endText: '[0.1] as [1.0] [0.0] it was\n' }).notes).not.toContain('lost-before');
});
