import { expect, test } from 'vitest';
import type { ServerSample } from '../../harness/server/server-sample.ts';
import { toldIn } from '../test-data/told-in.ts';
import { accountOf, linesOf, type StormOutcome } from './figures.ts';
import { keyIndex, type UserMarks } from './user.ts';

const NEVER = Number.NaN;
const key = (user: number, kind: 'unsent' | 'back') => String.fromCharCode(0xe000 + keyIndex(user, kind));

/** @param backMs by user, when this one saw that user's new key; its unsent key was seen a millisecond before */
function marks(number: number, backMs: readonly number[], lost: string | null = null): UserMarks {
  const seenMs = Float64Array.from(backMs.flatMap((ms) => [ms - 1, ms]));
  return { number, seenMs, wholeMs: 900, lost };
}

function sample(atMs: number, cpuMs: number, bytes: number): ServerSample {
  const traffic = { sentBytes: bytes, receivedBytes: bytes / 2, atMs };
  return {
    atMs,
    cpuMs,
    traffic,
    waitedMs: null,
    memoryBytes: null,
    gateCpuMs: null,
    delays: null,
    serverWrittenBytes: null,
  };
}

const TEXT = `a${key(0, 'unsent').repeat(2)}${key(0, 'back')}b${key(1, 'unsent').repeat(2)}${key(1, 'back')}${key(2, 'back')}${key(2, 'unsent').repeat(2)}c\n`;
const OUTCOME: StormOutcome = {
  ...{
    fromMs: 1000,
    toMs: 3000,
    limitMs: 60_000,
    unsent: 2,
    written: 'abc',
    texts: [TEXT],
    unlikeModels: 0,
    isForgotten: false,
    sockets: [],
  },
  // Users 0 and 1 are back with each other after 500 ms, user 2 after 1500.
  marks: [marks(0, [1200, 1500, 2500]), marks(1, [1400, 1300, 2400]), marks(2, [2450, 2450, 2300])],
  samples: [sample(1000, 100, 0), sample(1500, 400, 0), sample(3000, 500, 0)],
  lastSample: sample(3400, 500, 6 * 1024),
  peakMemoryBytes: 50 * 2 ** 20,
  usersBusyMs: [100, 200],
};

const told = (outcome: Partial<StormOutcome> = {}) => toldIn(linesOf({ ...OUTCOME, ...outcome }));

test('a user is back when another shows its key and it shows another’s; all is seen with the last key of all', () => {
  const { figures, notes } = told();
  expect(figures).toEqual({
    ...{ firstBackMs: 500, halfBackMs: 500, allBackMs: 1450, allSeenMs: 1500, backPercent: 100 },
    ...{ lostCharacters: 0, doubledCharacters: 0, serverCpuMs: 400, serverPeakCpuPercent: 60, serverPeakMemoryMiB: 50 },
    ...{ receivedKiB: 2, sentKiB: 1, usersBusyMs: 200 },
  });
  expect(notes).toEqual([]);
});

test('who is never back is told, with the reason; times that nobody knows are none', () => {
  const { figures, notes } = told({
    marks: [marks(0, [1200, 1500, NEVER]), marks(1, [1400, 1300, NEVER]), marks(2, [NEVER, NEVER, 2300], 'refused')],
  });
  expect(figures).toMatchObject({ firstBackMs: 500, halfBackMs: 500 });
  expect(figures.backPercent).toBeCloseTo(66.7, 1);
  expect(figures).not.toHaveProperty('allBackMs');
  expect(figures).not.toHaveProperty('allSeenMs');
  expect(notes).toEqual(['not-back']);
});

test('who sees keys and is seen, but has not the document, is not back', () => {
  const [first, second, third] = OUTCOME.marks;
  const lateFirst = (wholeMs: number) => told({ marks: [{ ...first!, wholeMs }, second!, third!] });
  expect(lateFirst(2700).figures).toMatchObject({ firstBackMs: 500, halfBackMs: 1450, allBackMs: 1700 });
  const { figures, notes } = lateFirst(NEVER);
  expect(figures).toMatchObject({ firstBackMs: 500, backPercent: expect.closeTo(66.7, 1) });
  expect(figures).not.toHaveProperty('allBackMs');
  expect(notes).toEqual(['not-back']);
});

test('who comes after the limit, while documents settle, is not back', () => {
  const sockets = [{ backMs: [1600, 2600], aloneMs: [2600], turnedAway: null, isBelieved: false }];
  const { figures, notes } = told({ limitMs: 1480, sockets });
  expect(figures).toMatchObject({ allBackMs: 1450, backPercent: 100, halfSocketsBackMs: 600 });
  expect(figures).not.toHaveProperty('allSeenMs');
  expect(figures).not.toHaveProperty('allSocketsBackMs');
  expect(notes).toEqual(['sockets-not-back']);
  expect(told({ limitMs: 1000 }).notes).toEqual(['not-back']);
});

test('what is missing, and what came twice, is counted in the poorest and in the worst document', () => {
  const poor = TEXT.replace(key(0, 'unsent'), '').replace('b', '');
  const worst = `${TEXT.slice(0, -1)}${TEXT.slice(0, -1)}\n`;
  expect(accountOf(poor, OUTCOME)).toEqual({ lost: 2, doubled: 0 });
  // The document itself, six unsent keys and three others.
  expect(accountOf(worst, OUTCOME)).toEqual({ lost: 0, doubled: 12 });
  const { figures, notes } = told({ texts: [poor, worst] });
  expect(figures).toMatchObject({ lostCharacters: 2, doubledCharacters: 12 });
  expect(notes).toEqual(['lost-text', 'doubled-text', 'diverged']);
});

test('characters that are missing far apart are as many as they are, unless there are too many to tell', () => {
  const written = Array.from({ length: 5000 }, (_, index) => String.fromCharCode(97 + ((index * index) % 23))).join('');
  const of = { written, marks: [], unsent: 0 };
  expect(accountOf(`${written.slice(1, -1)}\n`, of)).toEqual({ lost: 2, doubled: 0 });
  expect(accountOf(`${written.slice(1, 2000)}AB${written.slice(2000)}\n`, of)).toEqual({ lost: 1, doubled: 2 });
  expect(accountOf(`${written}${written}\n`, of)).toEqual({ lost: 0, doubled: 5000 });
  expect(accountOf(`${'X'.repeat(3000)}\n`, of)).toEqual({ lost: 5000, doubled: 3000 });
  expect(accountOf('\n', of)).toEqual({ lost: 5000, doubled: 0 });
});

test('where users were as busy as a core is, times are the machine’s', () => {
  expect(told({ usersBusyMs: [300, 1900] }).notes).toEqual(['users-busy']);
});

test('without unsent keys nobody waits for them', () => {
  const onlyBack = OUTCOME.marks.map(({ seenMs, ...mark }) => ({
    ...mark,
    seenMs: seenMs.map((ms, index) => (index % 2 === 0 ? NEVER : ms)),
  }));
  const text = TEXT.replaceAll(/[\uE000\uE002\uE004]/g, '');
  expect(told({ unsent: 0, marks: onlyBack, texts: [text] })).toMatchObject({
    figures: { allSeenMs: 1500, lostCharacters: 0 },
    notes: [],
  });
});

test('users who are sockets have times of their own, and share in the bytes; those who are away are told', () => {
  const sockets = [
    { backMs: [1600, 1100], aloneMs: [], turnedAway: null, isBelieved: false },
    { backMs: [1200], aloneMs: [], turnedAway: null, isBelieved: false },
  ];
  const { figures, notes } = told({ sockets });
  expect(figures).toMatchObject({ allBackMs: 1450, socketUsers: 3, halfSocketsBackMs: 200, allSocketsBackMs: 600 });
  expect(figures).toMatchObject({ receivedKiB: 1, sentKiB: 0.5 });
  expect(notes).toEqual([]);
  const away = told({
    sockets: [...sockets, { backMs: [NEVER, NEVER], aloneMs: [], turnedAway: 'too many', isBelieved: false }],
  });
  expect(away.figures).toMatchObject({ backPercent: 100, socketUsers: 5, halfSocketsBackMs: 600 });
  expect(away.figures).not.toHaveProperty('allSocketsBackMs');
  expect(away.notes).toEqual(['sockets-not-back']);
});

test('sockets who came by the harness’s own pause are told, since that makes their times', () => {
  const sockets = [{ backMs: [1600, 7600], aloneMs: [7600], turnedAway: null, isBelieved: false }];
  expect(told({ sockets })).toMatchObject({ figures: { allSocketsBackMs: 6600 }, notes: ['sockets-alone'] });
});

test('what sockets have is not known of a server that has forgotten the document, and believes that they hold it', () => {
  const sockets = [{ backMs: [1600, NEVER], aloneMs: [], turnedAway: null, isBelieved: true }];
  const { figures, notes } = told({ sockets, isForgotten: true });
  expect(figures).toMatchObject({ allBackMs: 1450, socketUsers: 2 });
  expect(figures).not.toHaveProperty('halfSocketsBackMs');
  expect(notes).toEqual(['sockets-unknown']);
  expect(told({ sockets }).figures).toMatchObject({ halfSocketsBackMs: 600 });
});
