/** Users' own edits must account for the final document, and the document for its copies. */
import { expect } from 'vitest';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial, NO_EDITS } from '../test-data/hand-made-trial.ts';
import { judged, settled, soundTrial, user } from '../test-data/sound-trial.ts';

async function codesOf(trial: HandMadeTrial): Promise<string[]> {
  return (await judged(trial)).reasons.map(({ code }) => code);
}

/** The same, but for how the second user settled. */
const accounts: Omit<RecordOf<'account'>, 'type' | 'atMs'> = {
  ...NO_EDITS,
  typedHash: 5,
  insertedHash: 5,
  deletedOfOthersCharacters: 4,
  takenCharacters: 4,
  formats: 4,
  undoneFormats: 2,
  undoneFormatsByChance: 2,
  claimedCharacters: 50,
  claimedHash: 1000,
  documentHash: 2100,
};

/** Two users who claim 50 and 51 of the 101 characters, with places that add up to the document's. */
function accountedTrial(
  second: Partial<typeof accounts> = {},
  state: Partial<RecordOf<'settled'>> = {},
): HandMadeTrial {
  const account = (given: Partial<typeof accounts>): RecordLine => ({
    type: 'account',
    atMs: at(25_000),
    ...accounts,
    ...given,
  });
  const other = { claimedCharacters: 51, claimedHash: 1100, ...second };
  return soundTrial({ users: [user(settled, account({})), user({ ...settled, ...state }, account(other))] });
}

describe('the account of all edits', () => {
  test('that adds up is no finding', async () => {
    expect((await judged(accountedTrial())).verdict).toBe('valid');
  });

  const defects: [code: string, message: RegExp, defect: Partial<typeof accounts>][] = [
    ['altered-edits', /^user-001: the editor took other letters than were typed$/, { insertedHash: 6 }],
    ['unaccounted-text', /no user's edit put in \(3 of 101\)$/, { claimedCharacters: 48 }],
    ['unaccounted-text', /stand in others' places \(2\)$/, { claimedCharacters: 53 }],
    ['unaccounted-text', /some of its characters have no author, and others have two$/, { claimedHash: 1101 }],
    ['vanished-edits', /changes took more .* \(9, deleted 8\)$/, { takenCharacters: 5 }],
    ['undone-deletions', /^user-001: characters .* came back \(6 of 10\)$/, { restoredCharacters: 6 }],
    ['undone-formats', /changes undid formats that they set \(5 of 8\)$/, { undoneFormats: 3 }],
  ];
  test.each(defects)('%s: %s', async (code, message, defect) => {
    const { verdict, reasons } = await judged(accountedTrial(defect));
    expect(verdict).toBe('failed');
    expect(reasons).toEqual([{ code, message: expect.stringMatching(message) }]);
  });

  test('of editors that hold different texts does not add up by any law', async () => {
    const state = { editorTextDigest: 'other', screenTextDigest: 'other' };
    expect(await codesOf(accountedTrial({ claimedCharacters: 48 }, state))).toEqual([]);
  });

  test('a few deletions that come back may be typing, and many where as much came of what was deleted elsewhere', async () => {
    const [few, chance, typing, beyondChance] = await Promise.all([
      codesOf(accountedTrial({ restoredCharacters: 5 })),
      codesOf(accountedTrial({ restoredCharacters: 9, restoredByChanceCharacters: 9 })),
      // Where the other user had none such: it is this user who deletes where others type the same.
      codesOf(accountedTrial({ restoredCharacters: 9, restoredByChanceCharacters: 4 })),
      codesOf(accountedTrial({ restoredCharacters: 9, restoredByChanceCharacters: 1 })),
    ]);
    expect([few, chance, typing]).toEqual([[], [], []]);
    expect(beyondChance).toEqual(['undone-deletions']);
  });

  test('a few formats that others set anew may be theirs, and so may as many as chance explains', async () => {
    const undone = (byChance: number) =>
      codesOf(accountedTrial({ formats: 96, undoneFormats: 18, undoneFormatsByChance: byChance }));
    const one = codesOf(accountedTrial({ formats: 1, undoneFormats: 1 }));
    expect(await Promise.all([one, undone(0), undone(4)])).toEqual([[], ['undone-formats'], []]);
  });

  test('text that an agent replaced was never gone before the new was there; without an agent, people took it out', async () => {
    const trial = accountedTrial({ mostVanishedCharacters: 1990 });
    const [first, second] = trial.users;
    const agent = user(
      { ...settled, insertedCharacters: 0, deletedCharacters: 0, typedCharacters: 0 },
      { type: 'account', atMs: at(25_000), ...accounts, claimedCharacters: 0, claimedHash: 0 },
    );
    const company = { agents: 1, clientReaders: 0, socketReaders: 0 };
    const [alone, beside] = await Promise.all([
      codesOf(trial),
      judged({ ...trial, users: [first!, second!, agent], company }),
    ]);
    expect(alone).toEqual([]);
    expect(beside).toMatchObject({
      verdict: 'failed',
      reasons: [
        { code: 'torn-rewrite', message: expect.stringMatching(/^user-001: .* \(up to 1990 characters at once\)$/) },
      ],
    });
  });

  test('is not made of documents that differ, or where somebody has none', async () => {
    const [first] = accountedTrial({}).users;
    const found = await Promise.all([
      codesOf(accountedTrial({ claimedCharacters: 48 }, { modelDigest: 'other' })),
      codesOf(soundTrial({ users: [first!, user(settled)] })),
    ]);
    expect(found).toEqual([['diverged'], []]);
  });
});

describe('copies of the document', () => {
  const copies = {
    type: 'copies',
    atMs: at(25_000),
    savedDigest: 'model',
    lateDigest: 'model',
    lateProblem: null,
  } as const;
  const withCopies = (given: Partial<RecordOf<'copies'>>) =>
    soundTrial({ users: [user(settled, { ...copies, ...given }), user(settled)] });

  test('that are equal, or were not made, are no finding', async () => {
    const notMade = { savedDigest: null, lateDigest: null };
    expect(await Promise.all([{}, notMade].map((given) => codesOf(withCopies(given))))).toEqual([[], []]);
  });

  test.each<[string, RegExp, Partial<RecordOf<'copies'>>]>([
    ['saved-state-differs', /^user-000: /, { savedDigest: 'older' }],
    ['newcomer-differs', /^the newcomer: another document/, { lateDigest: 'other' }],
    ['newcomer-differs', /could not join at the end \(no server\)$/, { lateDigest: null, lateProblem: 'no server' }],
  ])('%s', async (code, message, given) => {
    expect((await judged(withCopies(given))).reasons).toEqual([{ code, message: expect.stringMatching(message) }]);
  });
});
