import { expect } from 'vitest';
import type { AskedFaultKind } from '../../results/formats/fault-records.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import type { TrialFault } from '../resilience/fault-figures.ts';
import { describe, test } from '../test-data/at-once.ts';
import {
  at,
  type HandMadeTrial,
  type HandMadeUser,
  NO_EDITS,
  sent,
  settled,
  shown,
} from '../test-data/hand-made-trial.ts';
import { askTrial } from '../test-data/opened-together.ts';
import { user, userOff } from '../test-data/trial-folder.ts';
import { readTrialFaults } from '../trial/trial-figures.ts';

/** Typing for a minute, then ten seconds to settle. */
const PHASES = { 'warm-up': 0, measure: 5_000, settle: 60_000, done: 70_000 } as const;

/** User 0 types a sigil every even second, user 1 every odd one; user 2 watches. Sigils by when they are sent. */
const SENT = Array.from({ length: 58 }, (_, index) => 1000 * (index + 2));
const sigilOf = (sentMs: number) => `${String(sentMs / 1000).padStart(4, '0')}@`;
const senderOf = (sentMs: number) => (sentMs / 1000) % 2;

/** When a user sees a sigil; null: never. */
type Shown = (seen: { by: number; sentMs: number; soon: number }) => number | null;

interface Wish {
  faults?: RecordLine[];
  shownAt?: Shown;
  /** Further lines of each user; one that settles otherwise says so here. */
  lines?: [RecordLine[], RecordLine[], RecordLine[]];
}

/** 10 ms to the own screen, 100 ms to others'. User 1's clock is 100 ms behind. */
async function faultsOf({ faults = [], shownAt = ({ soon }) => soon, lines = WHOLE }: Wish): Promise<TrialFault[]> {
  const linesOf = (by: number, behindMs: number): RecordLine[] =>
    SENT.flatMap((sentMs) => {
      const own = senderOf(sentMs) === by;
      const shownMs = shownAt({ by, sentMs, soon: sentMs + (own ? 10 : 100) });
      return [
        ...(own ? [sent(sigilOf(sentMs), sentMs - behindMs)] : []),
        ...(shownMs === null ? [] : [shown(sigilOf(sentMs), shownMs - behindMs)]),
      ];
    });
  const users: HandMadeUser[] = [
    user(...linesOf(0, 0), ...lines[0]),
    userOff(100, ...linesOf(1, 100), ...lines[1]),
    user(...linesOf(2, 0), ...lines[2]),
  ];
  const trial: HandMadeTrial = { users, phases: PHASES, chrome: '156', coordinator: faults };
  return await askTrial(trial, ({ records }) => readTrialFaults(records));
}

function asked(kind: AskedFaultKind, fromMs: number, toMs: number | null, users: number[] = [], fault = 0): RecordLine {
  return { type: 'asked-fault', fault, kind, beganMs: at(fromMs), endedMs: toMs === null ? null : at(toMs), users };
}

function ended(given: Partial<RecordOf<'settled'>>, account: Partial<RecordOf<'account'>> = {}): RecordLine[] {
  const document = { characters: 101, savedStateBytes: null, quillStateBytes: null };
  return [
    { ...settled(document), ...given },
    { ...({ type: 'account', atMs: at(65_000), ...NO_EDITS } as const), ...account },
  ];
}
const typed = { insertedCharacters: 60, deletedCharacters: 10, typedCharacters: 60 };
/** Two users put in 60 characters each and took out 10, four of them the other's: 101 are left, with the first "\n". */
const balance = { takenCharacters: 4, deletedOfOthersCharacters: 4 };
const WHOLE: [RecordLine[], RecordLine[], RecordLine[]] = [
  ended(typed, { ...balance, claimedCharacters: 50 }),
  ended(typed, { ...balance, claimedCharacters: 51 }),
  ended({}),
];

const OFFLINE = asked('offline', 20_000, 30_000, [0]);
const isMeanwhile = (sentMs: number) => sentMs >= 20_000 && sentMs < 31_500;
/** User 0's typing while it is offline shows at others at 31,000; others' typing shows at its screen at 31,600. */
const offline: Shown = ({ by, sentMs, soon }) => {
  if (!isMeanwhile(sentMs) || senderOf(sentMs) === by) return soon;
  if (senderOf(sentMs) === 0) return 31_000;
  return by === 0 ? 31_600 : soon;
};

describe('a user who went offline for ten seconds', () => {
  test('golden: all arrives at 31.6 s, a cursor jumps, a page stands still', async () => {
    const happened: [RecordLine[], RecordLine[], RecordLine[]] = [
      [
        { type: 'long-task', atMs: at(30_900), durationMs: 700 },
        // Ten seconds after the end nothing is the fault's any more.
        { type: 'long-task', atMs: at(45_000), durationMs: 900 },
        { type: 'connection', atMs: at(20_100), state: 'lost' },
        { type: 'connection', atMs: at(30_800), state: 'back' },
        { type: 'cursor', atMs: at(31_000), movedBy: -12 },
        { type: 'cursor', atMs: at(45_000), movedBy: 99 },
      ],
      // By its clock; 100 ms of it are within the ten seconds.
      [
        { type: 'long-task', atMs: at(39_800), durationMs: 300 },
        { type: 'cursor', atMs: at(31_000), movedBy: 3 },
      ],
      [],
    ];
    const lines = WHOLE.map((own, index) => [...own, ...happened[index]!]) as typeof WHOLE;
    // Meanwhile each sent five sigils, which two others are to see: 20.
    // User 0 and the others: the last late one showed at 31,000; user 1 at user 0's: at 31,600; user 1 at user 2's: never late.
    expect(await faultsOf({ faults: [OFFLINE], shownAt: offline, lines })).toEqual([
      {
        fault: 0,
        kind: 'offline',
        users: 1,
        atS: 20,
        forS: 10,
        typingAgainMs: 0,
        typingAgainNever: false,
        arrivedMs: 1600,
        arrivedNever: false,
        sigilsMissingPercent: 0,
        agreeMs: 1600,
        agreeNever: false,
        lostCharacters: 0,
        doubledCharacters: 0,
        usersGone: 0,
        cursorJumps: 2,
        largestCursorJump: 12,
        frozenMs: 700,
      },
    ]);
  });

  /** As `offline`, but what user 0 typed meanwhile never shows at others; what it typed later does. */
  const swallowed: Shown = (seen) =>
    senderOf(seen.sentMs) === 0 && seen.by !== 0 && seen.sentMs >= 20_000 && seen.sentMs < 30_000
      ? null
      : offline(seen);

  test('golden: what its client threw away never arrived, and is lost', async () => {
    // 25 of the 60 were taken from user 0 though nobody deleted them: 76 are left.
    const lines: typeof WHOLE = [
      ended({ ...typed, characters: 76 }, { takenCharacters: 29, deletedOfOthersCharacters: 4, claimedCharacters: 25 }),
      ended({ ...typed, characters: 76 }, { ...balance, claimedCharacters: 51 }),
      ended({ characters: 76 }),
    ];
    // The five are missing at two screens each: 10 of 20. The first after them to be in time was sent at 32,000.
    expect(await faultsOf({ faults: [OFFLINE], shownAt: swallowed, lines })).toMatchObject([
      {
        ...{ arrivedMs: null, arrivedNever: true, sigilsMissingPercent: 50, lostCharacters: 25, doubledCharacters: 0 },
        ...{ agreeMs: 2000, agreeNever: false },
      },
    ]);
  });

  test('golden: sigils that were changed before they were seen are not missing where nothing was lost', async () => {
    // User 0's sigil of 30,000 shows at others at 31,000, so they had what came before it.
    expect(await faultsOf({ faults: [OFFLINE], shownAt: swallowed })).toMatchObject([
      { arrivedMs: 1600, arrivedNever: false, sigilsMissingPercent: 0, lostCharacters: 0, agreeMs: 1600 },
    ]);
  });

  test('golden: a client that gave up leaves its user alone', async () => {
    const alone: Shown = ({ by, sentMs, soon }) =>
      sentMs >= 20_000 && senderOf(sentMs) !== by && (by === 0 || senderOf(sentMs) === 0) ? null : soon;
    const lines: typeof WHOLE = [
      [
        ...ended({ ...typed, modelDigest: 'other', characters: 81 }),
        { type: 'connection', atMs: at(33_000), state: 'gone' },
      ],
      ended({ ...typed, characters: 91 }),
      ended({ characters: 91 }),
    ];
    // User 0's five at two screens, user 1's five at user 0's: 15 of 20. The shortest document lacks 20 of the 101.
    expect(await faultsOf({ faults: [OFFLINE], shownAt: alone, lines })).toMatchObject([
      {
        ...{ arrivedMs: null, arrivedNever: true, sigilsMissingPercent: 75, agreeMs: null, agreeNever: true },
        ...{ lostCharacters: 20, doubledCharacters: null, usersGone: 1 },
      },
    ]);
  });

  test('what is in the document and nobody’s is doubled, as is what an editor took as typed and was not', async () => {
    const lines: typeof WHOLE = [
      ended({ ...typed, characters: 111 }, { ...balance, claimedCharacters: 50 }),
      ended({ ...typed, characters: 111, insertedCharacters: 63 }, { ...balance, claimedCharacters: 54 }),
      ended({ characters: 111 }),
    ];
    expect(await faultsOf({ faults: [OFFLINE], lines })).toMatchObject([{ lostCharacters: 0, doubledCharacters: 10 }]);
    // Not where editors hold different texts, whatever their models hold.
    lines[2] = ended({ characters: 111, editorTextDigest: 'other' });
    expect(await faultsOf({ faults: [OFFLINE], lines })).toMatchObject([{ agreeNever: true, doubledCharacters: null }]);
  });
});

describe('a server that restarts', () => {
  const RESTART = asked('server-restart', 20_000, 25_000);

  test('golden: typing stops until it is back; what overlaps is one gap', async () => {
    // User 1's sigils of 21,000, 23,000 and 25,000 show on its own screen at 26,000. A task of 1.3 s comes later.
    const shownAt: Shown = ({ by, sentMs, soon }) =>
      by === 1 && senderOf(sentMs) === 1 && sentMs > 20_000 && sentMs < 26_000 ? 26_000 : soon;
    const busy: RecordLine = { type: 'long-task', atMs: at(28_000), durationMs: 1300 };
    const lines: typeof WHOLE = [[...WHOLE[0], busy], WHOLE[1], WHOLE[2]];
    expect(await faultsOf({ faults: [RESTART], shownAt, lines })).toMatchObject([
      { kind: 'server-restart', users: 3, typingAgainMs: 5000, typingAgainNever: false, frozenMs: 1300 },
    ]);
  });

  test('a key that the browser timed, and a task, stop typing as well; less than a second does not', async () => {
    const withLines = async (...more: RecordLine[]) => {
      const lines: typeof WHOLE = [[...WHOLE[0], ...more], WHOLE[1], WHOLE[2]];
      const [fault] = await faultsOf({ faults: [RESTART], lines });
      return fault!.typingAgainMs;
    };
    const keys = (ms: number): RecordLine => ({
      ...({ type: 'key-latency', atMs: at(22_000), keys: 12 } as const),
      ...{ slowMs: [ms], slowInteractionMs: [ms] },
    });
    const task = (durationMs: number): RecordLine => ({ type: 'long-task', atMs: at(21_000), durationMs });
    const again = await Promise.all([withLines(keys(1900)), withLines(keys(900), task(950)), withLines(task(1500))]);
    expect(again).toEqual([1900, 0, 1500]);
  });

  test('typing that never comes back has no length, and a user who was not struck tells nothing of it', async () => {
    const shownAt: Shown = ({ by, sentMs, soon }) =>
      by === 1 && senderOf(sentMs) === 1 && sentMs > 20_000 ? null : soon;
    const [all, other, watcher] = await Promise.all([
      faultsOf({ faults: [RESTART], shownAt }),
      faultsOf({ faults: [asked('network-cut', 20_000, 25_000, [0])], shownAt }),
      faultsOf({ faults: [asked('network-cut', 20_000, 25_000, [2])] }),
    ]);
    expect(all).toMatchObject([{ typingAgainMs: null, typingAgainNever: true }]);
    expect(other).toMatchObject([{ users: 1, typingAgainMs: 0, typingAgainNever: false }]);
    // Nobody who types was struck.
    expect(watcher).toMatchObject([{ typingAgainMs: null, typingAgainNever: false }]);
  });

  test('where nothing showed before, nobody is called late who may always have been so', async () => {
    const far: Shown = ({ soon, sentMs }) => (soon - sentMs > 10 ? sentMs + 700 : soon);
    const agreed = async (fromMs: number, shownAt?: Shown) => {
      const [fault] = await faultsOf({ faults: [asked('network-slow', fromMs, fromMs + 3000)], shownAt });
      return [fault!.agreeMs, fault!.agreeNever];
    };
    const found = await Promise.all([agreed(0, far), agreed(0), agreed(20_000, far)]);
    expect(found).toEqual([
      [null, false],
      [0, false],
      [0, false],
    ]);
  });

  test('of one that did not come back, how long all took from its end on is not known', async () => {
    const cut: Shown = ({ by, sentMs, soon }) => (senderOf(sentMs) === by || sentMs < 20_000 ? soon : null);
    const faults = [asked('server-restart', 20_000, null)];
    // 25 of user 0's were taken though nobody deleted them.
    const lines: typeof WHOLE = [
      ended(typed, { ...balance, takenCharacters: 29, claimedCharacters: 50 }),
      WHOLE[1],
      WHOLE[2],
    ];
    const [lost, harmless] = await Promise.all([faultsOf({ faults, shownAt: cut, lines }), faultsOf({ faults })]);
    expect(lost).toMatchObject([
      { forS: null, arrivedMs: null, arrivedNever: true, sigilsMissingPercent: 100, agreeMs: null, agreeNever: true },
    ]);
    expect(harmless).toMatchObject([
      { arrivedMs: null, arrivedNever: false, sigilsMissingPercent: 0, agreeMs: null, agreeNever: false },
    ]);
  });

  test('what never showed is not missing where nothing was lost; but when it arrived is not known', async () => {
    const shownAt: Shown = ({ by, sentMs, soon }) => (senderOf(sentMs) === by || sentMs < 24_000 ? soon : null);
    expect(await faultsOf({ faults: [RESTART], shownAt })).toMatchObject([
      { arrivedMs: null, arrivedNever: false, sigilsMissingPercent: 0 },
    ]);
  });
});

test('each of several faults has its own figures, up to the next', async () => {
  const cut = asked('network-cut', 40_000, 44_000, [1], 1);
  const shownAt: Shown = (seen) => {
    const { by, sentMs, soon } = seen;
    if (sentMs < 40_000 || sentMs >= 45_000) return offline(seen);
    const isStuck = senderOf(sentMs) !== by && (by === 1 || senderOf(sentMs) === 1);
    return isStuck ? 44_700 : soon;
  };
  const jump: RecordLine = { type: 'cursor', atMs: at(44_800), movedBy: 5 };
  const lines: typeof WHOLE = [[...WHOLE[0], jump], WHOLE[1], WHOLE[2]];
  expect(await faultsOf({ faults: [cut, OFFLINE], shownAt, lines })).toMatchObject([
    { fault: 0, kind: 'offline', atS: 20, arrivedMs: 1600, agreeMs: 1600, cursorJumps: 0 },
    { fault: 1, kind: 'network-cut', atS: 40, forS: 4, arrivedMs: 700, agreeMs: 700, cursorJumps: 1 },
  ]);
});

test('of faults that last at once, effects that nobody can tell from the other’s are not known', async () => {
  const task: RecordLine = { type: 'long-task', atMs: at(22_000), durationMs: 700 };
  const lines: typeof WHOLE = [[...WHOLE[0], task, { ...task, atMs: at(27_000) }], WHOLE[1], WHOLE[2]];
  const untold = { typingAgainMs: null, agreeMs: null, cursorJumps: null, largestCursorJump: null, frozenMs: null };
  const none = { ...untold, typingAgainNever: false, agreeNever: false, usersGone: null };
  const withCut = (toMs: number | null, slowFromMs: number) =>
    faultsOf({ faults: [asked('network-cut', 20_000, toMs), asked('network-slow', slowFromMs, 29_000, [], 1)], lines });
  const atOnce = [withCut(25_000, 20_000), withCut(25_000, 21_000), withCut(null, 26_000)];
  const [after, ...all] = await Promise.all([withCut(25_000, 25_000), ...atOnce]);
  for (const both of all) expect(both).toMatchObject([none, none]);
  expect(after).toMatchObject([{ frozenMs: 700 }, { frozenMs: 700, cursorJumps: 0 }]);
});

test('golden: who is struck some time after a fault began agrees again when all of it has come', async () => {
  // The deploy comes to user 1's server after 20 s; what was sent meanwhile shows a second after its end.
  const shownAt: Shown = ({ by, sentMs, soon }) =>
    senderOf(sentMs) === 1 && by !== 1 && sentMs >= 40_000 && sentMs < 50_000 ? 51_000 : soon;
  const found = await faultsOf({ faults: [asked('server-roll', 20_000, 50_000)], shownAt });
  expect(found).toMatchObject([{ agreeNever: false, agreeMs: 1000 }]);
});

test('too few sigils after a fault tell nothing of when users agree again', async () => {
  const shownAt: Shown = ({ by, sentMs, soon }) =>
    senderOf(sentMs) !== by && sentMs >= 20_000 && sentMs <= 55_000 ? 56_000 : soon;
  const found = await faultsOf({ faults: [asked('network-cut', 20_000, 55_000)], shownAt });
  expect(found).toMatchObject([{ arrivedMs: 1000, agreeNever: false, agreeMs: null }]);
});

test('a late edit now and then is no fault’s doing, and before is as slow as it was', async () => {
  // User 1's sigil of 41,000 takes a second to user 0.
  const once: Shown = (seen) => (seen.by === 0 && seen.sentMs === 41_000 ? 42_000 : offline(seen));
  // Where all takes 700 ms to others as a rule, 1.3 s is as before.
  const slow: Shown = (seen) => {
    const own = senderOf(seen.sentMs) === seen.by;
    const inOrder = (ms: number) => (own ? seen.soon : seen.sentMs + ms);
    return isMeanwhile(seen.sentMs)
      ? offline({ ...seen, soon: inOrder(700) })
      : inOrder(seen.sentMs < 20_000 ? 700 : 1300);
  };
  const found = await Promise.all([once, slow].map((shownAt) => faultsOf({ faults: [OFFLINE], shownAt })));
  for (const each of found) expect(each).toMatchObject([{ agreeNever: false, agreeMs: 1600 }]);
});

test('without faults there are no figures of any', async () => {
  expect(await faultsOf({})).toEqual([]);
});
