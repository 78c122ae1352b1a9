/** Figures that cannot be spoil their trial. */
import { expect } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial, NO_EDITS, network, resources, sent, shown } from '../test-data/hand-made-trial.ts';
import { judged, settled, soundTrial, user } from '../test-data/sound-trial.ts';

const MARKERS = Array.from({ length: 5 }, (_, count) => ({ sigil: `00@${count}0`, sentMs: 11_000 + 1000 * count }));
/** User 0's markers show at user 1 so much later. */
const passing = (latencyMs: number, lines: Partial<Record<'sender' | 'receiver' | 'server', RecordLine[]>> = {}) =>
  soundTrial({
    users: [
      user(settled, ...MARKERS.map(({ sigil, sentMs }) => sent(sigil, sentMs)), ...(lines.sender ?? [])),
      user(settled, ...MARKERS.map(({ sigil, sentMs }) => shown(sigil, sentMs + latencyMs)), ...(lines.receiver ?? [])),
    ],
    server: lines.server ?? [],
  });
const foundIn = async (trial: HandMadeTrial) => (await judged(trial)).reasons;
const BETWEEN = 20_000;

describe('bytes', () => {
  test('that are fewer than the markers that passed are a reason, at users and at the server', async () => {
    const trial = passing(100, {
      sender: [network(BETWEEN, 24, 0)],
      receiver: [network(BETWEEN, 0, 0)],
      server: [network(BETWEEN, 0, 500)],
    });
    const each = 'server sent 0 for 5 markers, user-000 sent 24 for 5 markers, user-001 received 0 for 5 markers';
    expect(await judged(trial)).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'bytes-uncounted', message: expect.stringContaining(`(${each})`) }],
    });
  });

  test('that are enough, or not told, are none', async () => {
    const enough = { sender: [network(BETWEEN, 25, 0)], receiver: [network(BETWEEN, 0, 25)] };
    const found = await Promise.all([
      foundIn(passing(100, { ...enough, server: [network(BETWEEN, 25, 0)] })),
      foundIn(passing(100)),
    ]);
    expect(found).toEqual([[], []]);
  });
});

test('bytes of users and server that are far apart are noted, and which way', async () => {
  const seconds = [10_000, 15_000, 20_000];
  const trial = (serverBytes: number): HandMadeTrial => {
    const lines = (bytes: number, index: 0 | 1) =>
      seconds.map((ms, step) => network(ms, index === 0 ? bytes * step : 0, index === 1 ? bytes * step : 0));
    return soundTrial({
      users: [user(settled, ...lines(5_000, 1)), user(settled, ...lines(5_000, 1))],
      server: lines(serverBytes, 0),
    });
  };
  const [more, fewer, alike] = await Promise.all([judged(trial(25_000)), judged(trial(4_000)), judged(trial(13_000))]);
  expect(more.notes).toEqual([
    {
      code: 'bytes-differ',
      message: expect.stringMatching(/server sent 4.9 KiB.s, its users' WebSockets received 2.0,/),
    },
  ]);
  expect(fewer.notes).toMatchObject([{ code: 'bytes-differ' }]);
  expect(alike.notes).toEqual([]);
});

describe('markers', () => {
  const far = (latencyMs: number): HandMadeTrial => ({ ...passing(latencyMs), leastDelayMs: 50 });

  test('that come sooner than both links let them pass are a reason', async () => {
    expect(await judged(far(90))).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'delay-evaded', message: expect.stringContaining('(5 of 5; both ways take 100 ms or more)') }],
    });
  });

  test('that come later, or as much sooner as the clocks may be wrong, are none', async () => {
    expect(await Promise.all([101, 99.6].map((latencyMs) => foundIn(far(latencyMs))))).toEqual([[], []]);
  });

  test('of trials with faults, whose links may be others, are none', async () => {
    const fault: RecordLine = {
      type: 'asked-fault',
      fault: 0,
      kind: 'network-slow',
      users: [],
      beganMs: at(12_000),
      endedMs: at(13_000),
    };
    expect(await foundIn({ ...far(90), coordinator: [fault] })).toEqual([]);
  });
});

describe('markers beside other text', () => {
  const SIGILS = Array.from({ length: 24 }, (_, count) => ({
    sigil: `00@${(count % 12).toString(36)}${Math.floor(count / 12)}`,
    sentMs: 10_100 + 400 * count,
  }));
  /** A sample each second of text that grows by ten characters a second, and of others' that is as old as it is told. */
  const samples = (ageMs: number): RecordLine => ({
    type: 'text-samples',
    atMs: at(25_000),
    samples: Array.from({ length: 21 }, (_, second) => {
      const had = (ms: number) => Math.max(0, ms / 100);
      return [at(1000 * second), had(1000 * second), Math.floor(had(1000 * second - ageMs))];
    }),
  });
  const codesOf = async (
    ageMs: number,
    latencyMs: (count: number) => number,
    { coordinator = [], reader = settled }: { coordinator?: RecordLine[]; reader?: RecordLine } = {},
  ) => {
    const shownAt = SIGILS.map(({ sigil, sentMs }, count) => shown(sigil, sentMs + latencyMs(count)));
    const users = [
      user(settled, samples(ageMs), ...SIGILS.map(({ sigil, sentMs }) => sent(sigil, sentMs))),
      user(reader, samples(ageMs), ...shownAt),
    ];
    return (await judged(soundTrial({ users, coordinator }))).reasons.map(({ code }) => code);
  };

  test('that come much sooner are a reason', async () => {
    expect(await codesOf(700, () => 30)).toEqual(['markers-hurried']);
  });

  test('that come sooner than text which a fault keeps away are none', async () => {
    const asked = { type: 'asked-fault' as const, fault: 0, kind: 'server-restart' as const, users: [] };
    const coordinator = [{ ...asked, beganMs: at(11_000), endedMs: at(13_000) }];
    expect(await codesOf(700, () => 30, { coordinator })).toEqual([]);
  });

  test('that come sooner than text of a document which is not shared are none', async () => {
    expect(await codesOf(700, () => 30, { reader: { ...settled, modelDigest: 'other' } })).toEqual(['diverged']);
    const reader = { ...settled, editorTextDigest: 'other', screenTextDigest: 'other' };
    expect(await codesOf(700, () => 30, { reader })).toEqual([]);
  });

  test('that are as late are none, nor are they where some edits are late for long, those of markers too', async () => {
    const found = await Promise.all([
      codesOf(700, () => 600),
      codesOf(100, () => 30),
      codesOf(700, (count) => (count % 5 === 0 ? 8000 : 30)),
    ]);
    expect(found).toEqual([[], [], []]);
  });
});

describe('gathering', () => {
  const account = (receivePeriods: number, receivePeriodsApart: number): RecordLine => ({
    ...{ type: 'account', atMs: at(25_000), ...NO_EDITS, deletedOfOthersCharacters: 10 },
    ...{ receivePeriods, receivePeriodsApart },
  });
  const notesOf = async (...lines: RecordLine[]) =>
    (await judged(soundTrial({ users: [user(settled, ...lines), user(settled)] }))).notes;

  test('that is not seen at a receiver is noted, with how often; seldom or little is chance', async () => {
    const [often, seldom, little] = await Promise.all([
      notesOf(account(100, 6)),
      notesOf(account(100, 5)),
      notesOf(account(20, 4)),
    ]);
    expect(often).toEqual([
      { code: 'received-at-once', message: expect.stringContaining('user-000 (they came apart in 6 of 100 receive') },
    ]);
    expect([seldom, little]).toEqual([[], []]);
  });

  test('that is not seen at a sender is noted, if it was asked for', async () => {
    const messages = (count: number): RecordLine[] =>
      [10_000, 20_000].map((ms, index) => ({
        ...{ type: 'network', atMs: at(ms), sentBytes: 0, receivedBytes: 0, receivedMessages: 0 },
        sentMessages: index * count,
      }));
    const trial = (count: number, sendMs: number): HandMadeTrial => ({
      ...soundTrial({ users: [user(settled, ...messages(count)), user(settled)] }),
      sendMs,
    });
    const [often, seldom, unasked] = await Promise.all([
      judged(trial(31, 1000)),
      judged(trial(30, 1000)),
      judged(trial(60, 0)),
    ]);
    expect(often.notes).toEqual([
      { code: 'sent-at-once', message: expect.stringContaining('(up to 3.1 messages a second, batches 1.0)') },
    ]);
    expect([seldom.notes, unasked.notes]).toEqual([[], []]);
  });
});

describe('work', () => {
  const of = (cpuMs: number) =>
    [10_000, 20_000].map((atMs, index) => ({ atMs, cpuMs: cpuMs * index, memoryBytes: null }));
  const using = (machineMs: number): HandMadeTrial => {
    const lines = (name: 'chrome' | 'server' | 'machine', cpuMs: number, more = {}) =>
      of(cpuMs).map(({ atMs, ...used }) => resources(name, atMs, { ...used, ...more }));
    return {
      ...passing(100, { sender: lines('chrome', 3000, { users: 2 }), server: lines('server', 2000) }),
      coordinator: lines('machine', machineMs, { cores: 2 }),
    };
  };
  const notesOf = async (trial: HandMadeTrial) => (await judged(trial)).notes.map(({ message }) => message);

  test('of the machine that no process of the trial did is noted', async () => {
    expect(await notesOf(using(6200))).toEqual([expect.stringContaining('(12 % of a core, limit 10 %)')]);
  });

  test('that is little is not', async () => {
    expect(await notesOf(using(5900))).toEqual([]);
  });

  test('of the store’s program, and of what is between servers, is the trial’s', async () => {
    const trial = using(8900);
    const bytes = { memoryBytes: null, writtenBytes: null, serverWrittenBytes: null, sizeBytes: null };
    const backing = of(1000).flatMap(({ atMs, cpuMs }): RecordLine[] => [
      { type: 'store', atMs: at(atMs), cpuMs, ...bytes },
      { type: 'servers', atMs: at(atMs), cpuMs: [cpuMs, cpuMs], brokerCpuMs: cpuMs, linksCpuMs: cpuMs },
    ]);
    expect(await notesOf(trial)).toHaveLength(1);
    expect(await notesOf({ ...trial, server: [...trial.server!, ...backing] })).toEqual([]);
  });
});
