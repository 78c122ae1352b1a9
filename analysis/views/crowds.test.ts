import { expect } from 'vitest';
import { UNSEEN } from '../../harness/crowd/socket-member.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import {
  at,
  type HandMadeTrial,
  NO_EDITS,
  network,
  ownSigils,
  resources,
  sent,
  shown,
  typing,
} from '../test-data/hand-made-trial.ts';
import { askTrial } from '../test-data/opened-together.ts';
import { judged, settled, user } from '../test-data/sound-trial.ts';
import { figuresFrom, user as knownUser } from '../test-data/trial-folder.ts';

const account = (claimedCharacters: number, deletedOfOthersCharacters = 0) =>
  ({
    type: 'account',
    atMs: at(25_000),
    ...NO_EDITS,
    deletedOfOthersCharacters,
    claimedCharacters,
    claimedHash: 1,
    documentHash: 1,
  }) as const;
const replayed = (modelDigest: string | null, problem: string | null = null) =>
  ({ type: 'replay', atMs: at(27_000), modelDigest, problem }) as const;

/**
 * Two probes who put in 60 characters each and took out 10 of their own, and a crowd of one who left 40 of 50: 1 + 50 + 50
 * + 40 = 141 are left.
 */
function crowded(given: Partial<HandMadeTrial> & { ofCrowd?: Parameters<typeof user> } = {}): HandMadeTrial {
  const { ofCrowd = [], ...rest } = given;
  const probe = { ...settled, characters: 141 };
  const played = { ...settled, ...UNSEEN, insertedCharacters: 50, deletedCharacters: 10, typedCharacters: 50 };
  return {
    users: [user(probe, account(51)), user(probe, account(50)), user(played, account(40), ...ofCrowd)],
    server: [],
    probes: 2,
    crowd: 'recorded',
    coordinator: [replayed('model')],
    ...rest,
  };
}

const codesOf = async (trial: HandMadeTrial) => (await judged(trial)).reasons.map(({ code }) => code);

test('a sound trial with a crowd is valid, and says so', async () => {
  expect(await judged(crowded())).toMatchObject({
    verdict: 'valid',
    reasons: [],
    notes: [
      {
        code: 'crowd',
        message: "1 of 3 users: a crowd, played from a recording; figures of users are the probes'",
      },
    ],
  });
});

test('parts of a library that were patched for the crowd are told in a note', async () => {
  const { notes } = await judged(crowded({ crowdPatched: 'its events' }));
  expect(notes.map(({ message }) => message)).toEqual([
    expect.stringMatching(/figures of users are the probes'; patched for them, to the same results: its events$/),
  ]);
});

test('the document must be the one that all that was sent makes', async () => {
  const [another, unable, none] = await Promise.all([
    judged(crowded({ coordinator: [replayed('another')] })),
    judged(crowded({ coordinator: [replayed(null, 'no server')] })),
    codesOf(crowded({ coordinator: [] })),
  ]);
  expect(another).toMatchObject({ verdict: 'failed', reasons: [{ code: 'replay-differs' }] });
  expect(unable).toMatchObject({
    verdict: 'invalid',
    reasons: [{ code: 'no-replay', message: expect.stringMatching(/\(no server\)$/) }],
  });
  expect(none).toEqual(['no-replay']);
});

test('what the crowd left is in the document, less what probes deleted of it', async () => {
  const [first, second, crowd] = crowded().users;
  const withCharacters = (characters: number, deletedOfOthers: number) => ({
    users: [
      user({ ...settled, characters }, account(51, deletedOfOthers)),
      user({ ...settled, characters }, account(50)),
      crowd!,
    ],
  });
  expect([first, second]).toHaveLength(2);
  const [more, less, right] = await Promise.all([
    codesOf(crowded(withCharacters(142, 0))),
    codesOf(crowded(withCharacters(138, 2))),
    // A probe that deletes the crowd's takes them out of the sum of all, too.
    codesOf(crowded(withCharacters(141, 3))),
  ]);
  expect(more).toEqual(['unaccounted-text']);
  expect(less).toContain('unaccounted-text');
  expect(right).toEqual([]);
});

test('a crowd that is played late is the harness’s fault', async () => {
  const lateMs = Array.from({ length: 100 }, () => 25);
  const late = { type: 'played', atMs: at(15_000), lateMs, receivedBytes: 0, receivedMessages: 0 } as const;
  const [measured, before] = await Promise.all([
    judged(crowded({ ofCrowd: [late] })),
    codesOf(crowded({ ofCrowd: [{ ...late, atMs: at(5000) }] })),
  ]);
  expect(measured).toMatchObject({
    verdict: 'invalid',
    reasons: [{ code: 'crowd-late', message: expect.stringMatching(/\(25 ms .*, limit 20 ms\)/) }],
  });
  expect(before).toEqual([]);
});

test('golden: a crowd of few frames tells of its lateness too, as by that a cell is known to be one of a played crowd', async () => {
  const played = { type: 'played', atMs: at(15_000), receivedBytes: 0, receivedMessages: 0 } as const;
  const { columns } = await askTrial(crowded({ ofCrowd: [{ ...played, lateMs: [1, 2, 3] }] }), figuresFrom);
  // At 0.99 of the way from 1 to 3.
  expect(columns.crowdLateMs).toBeCloseTo(2.98, 9);
});

/** Bytes and messages that had come by each of these seconds, at so many a second. */
const receivedUntil = (seconds: readonly number[], { bytes, messages }: { bytes: number; messages: number }) =>
  seconds.map((second) => ({
    second,
    came: { receivedBytes: bytes * second, receivedMessages: messages * second },
  }));
const ofPlayed = (...received: ReturnType<typeof receivedUntil>) =>
  received.map(({ second, came }): RecordLine => ({ type: 'played', atMs: at(1000 * second), lateMs: [], ...came }));
const ofProbe = (...received: ReturnType<typeof receivedUntil>) =>
  received.map(
    ({ second, came }): RecordLine => ({ ...(network(1000 * second, 0, 0) as RecordOf<'network'>), ...came }),
  );

test.each<[string, string[], { bytes: number; messages: number }, string]>([
  ['as much as the probes', [], { bytes: 1000, messages: 10 }, 'valid'],
  ['nearly as much, in fewer messages', [], { bytes: 960, messages: 3 }, 'valid'],
  ['nothing', ['crowd-unserved'], { bytes: 0, messages: 0 }, 'failed'],
  ['fewer messages', ['crowd-unserved'], { bytes: 900, messages: 9 }, 'failed'],
  ['less, in far fewer messages', ['crowd-oddly-served'], { bytes: 900, messages: 3 }, 'unknown'],
])('a crowd’s user who gets %s: %o', async (_what, codes, came, verdict) => {
  const seconds = [10, 11, 13, 16, 20];
  const trial = crowded({ ofCrowd: ofPlayed(...receivedUntil(seconds, came)) });
  trial.users[0]!.lines.push(...ofProbe(...receivedUntil(seconds, { bytes: 1000, messages: 10 })));
  expect(await judged(trial)).toMatchObject({ verdict, reasons: codes.map((code) => ({ code })) });
});

describe('a crowd’s user to whom others’ edits come later than to the probes', () => {
  const waits = (waitedMs: (second: number) => number): RecordLine[] =>
    Array.from({ length: 10 }, (_, second) => ({
      ...{ type: 'played', atMs: at(10_500 + 1000 * second), lateMs: [], receivedBytes: 0, receivedMessages: 0 },
      waitedMs: waitedMs(second),
    }));

  test('is ill served', async () => {
    expect(await judged(crowded({ ofCrowd: waits((second) => 950 + 1000 * (second % 2)) }))).toMatchObject({
      verdict: 'failed',
      reasons: [
        { code: 'crowd-served-late', message: expect.stringMatching(/^user-002: .*\(waits of 1450 ms .* 0 ms\)$/) },
      ],
    });
  });

  test('is served if that is so now and then', async () => {
    expect(await codesOf(crowded({ ofCrowd: waits((second) => (second < 4 ? 2000 : 100)) }))).toEqual([]);
  });
});

test('who types more than others gets less, as no server sends back what is one’s own', async () => {
  // Probes type one edit a second, the crowd's user two: three reach a probe, and two reach the other.
  const served = async (came: { bytes: number; messages: number }) => {
    const seconds = [10, 15, 20];
    const trial = crowded({ ofCrowd: ofPlayed(...receivedUntil(seconds, came)) });
    for (const [index, performed] of [1, 1, 2].entries()) {
      const typed = Array.from({ length: 10 }, (_, second) =>
        typing(10_500 + 1000 * second, { offered: performed, performed }),
      );
      trial.users[index]!.lines.push(...typed);
    }
    trial.users[0]!.lines.push(...ofProbe(...receivedUntil(seconds, { bytes: 1500, messages: 3 })));
    return (await judged(trial)).reasons.map(({ code }) => code);
  };
  const [others, fewer, all] = await Promise.all([
    served({ bytes: 1000, messages: 2 }),
    served({ bytes: 900, messages: 1.8 }),
    // A server that sends all to all.
    served({ bytes: 1500, messages: 3 }),
  ]);
  expect(others).not.toContain('crowd-unserved');
  expect(fewer).toContain('crowd-unserved');
  expect(all).not.toContain('crowd-unserved');
});

test('a crowd and probes are compared over the same seconds, since typing comes in bursts', async () => {
  const burst = receivedUntil([10, 11, 12, 13, 14, 15], { bytes: 1000, messages: 10 });
  const [last] = burst.slice(-1);
  const rest = [17, 18, 20].map((second) => ({ ...last!, second }));
  const trial = crowded({ ofCrowd: ofPlayed(...burst, ...rest) });
  trial.users[0]!.lines.push(...ofProbe(burst[0]!, last!));
  expect(await codesOf(trial)).toEqual([]);
});

test('where a window holds one sample of the probes, the crowd is still compared with itself', async () => {
  const seconds = [10, 11, 13, 16, 20];
  const bytes = [1000, 1000, 100];
  const served = bytes.map((each) => ofPlayed(...receivedUntil(seconds, { bytes: each, messages: each / 100 })));
  const trial = crowded({ ofCrowd: served[2]! });
  // Two more of the crowd, who are served.
  trial.users.push(
    ...served.slice(0, 2).map((lines) => ({ ...trial.users[2]!, lines: [...crowded().users[2]!.lines, ...lines] })),
  );
  trial.users[0]!.lines.push(...ofProbe(...receivedUntil([15], { bytes: 1000, messages: 10 })));
  expect(await codesOf(trial)).toContain('crowd-unserved');
});

test('messages that rest on the order in which they were sent are no test where the server was late', async () => {
  const loop = (lateMs: number, atMs = at(15_000)): RecordLine => ({
    type: 'loop-delay',
    atMs,
    delays: [
      [3, 2],
      [1, lateMs],
    ],
  });
  const differing = (restsOnOrder: boolean, ...server: RecordLine[]) =>
    judged(crowded({ crowdRestsOnOrder: restsOnOrder, server, coordinator: [replayed('another')] }));
  const faults = [{ code: 'server-process', message: 'it ended' }];
  const early = { phases: { 'warm-up': 0 }, proof: null, faults: [{ code: 'client-lost', message: 'it gave up' }] };
  const [late, lost, ended, same, ...failed] = await Promise.all([
    differing(true, loop(250)),
    judged(crowded({ crowdRestsOnOrder: true, server: [loop(250, at(5000))], ...early })),
    judged(crowded({ crowdRestsOnOrder: true, server: [loop(250)], faults })),
    judged(crowded({ crowdRestsOnOrder: true, server: [loop(250)] })),
    differing(false, loop(250)),
    differing(true, loop(99)),
    differing(true, loop(250, at(-1000))),
    // Its profile stops after typing.
    differing(true, loop(250, at(25_000))),
  ]);
  expect(late).toMatchObject({
    verdict: 'invalid',
    reasons: [{ code: 'replay-differs' }, { code: 'crowd-unordered', message: expect.stringMatching(/up to 250 ms/) }],
  });
  for (const each of failed) expect(each).toMatchObject({ verdict: 'failed', reasons: [{ code: 'replay-differs' }] });
  expect(lost).toMatchObject({ verdict: 'invalid', reasons: [{ code: 'client-lost' }, { code: 'crowd-unordered' }] });
  expect(ended).toMatchObject({ verdict: 'failed', reasons: [{ code: 'server-process' }] });
  const { verdict, reasons, notes } = same;
  expect([verdict, reasons, notes.map(({ code }) => code)]).toEqual(['valid', [], ['crowd-unordered', 'crowd']]);
});

test('figures are the probes’, but for what the crowd sent them', async () => {
  const keys = typing(15_000, { offered: 10, performed: 10 });
  const users = [
    knownUser(
      keys,
      sent('0000@', 12_000),
      shown('0000@', 12_010),
      shown('0200@', 13_100),
      network(11_000, 0, 0),
      network(19_000, 800, 8000),
    ),
    knownUser(keys, shown('0000@', 12_030), shown('0200@', 13_050), network(11_000, 0, 0), network(19_000, 800, 8000)),
    knownUser(
      typing(15_000, { offered: 50, performed: 50 }),
      // Gathered for 20 ms.
      { ...(sent('0200@', 13_000) as RecordOf<'sigil-sent'>), leftMs: at(13_020) },
      network(11_000, 0, 0),
      network(19_000, 99_999, 99_999),
      resources('crowd', 11_000, { cpuMs: 0, memoryBytes: 2 ** 20 }),
      resources('crowd', 19_000, { cpuMs: 800, memoryBytes: null }),
    ),
  ];
  const trial: HandMadeTrial = { users, probes: 2, crowd: 'recorded', coordinator: [replayed('d')] };
  const { columns, samples } = await askTrial(trial, figuresFrom);
  expect(columns).toMatchObject({
    offered: 20,
    performed: 20,
    // One on the other probe's screen, two of the crowd's on both.
    expected: 3,
    arrived: 3,
    offeredSigils: 1,
    sigilsForOthers: 2,
    prompt: 1,
    sigilsSeenAmongProbes: 1,
    sigilsSeenFromCrowd: 1,
    crowdCpuPercent: 10,
    crowdMemoryMiB: 1,
    // 100 bytes a second each, for 10 edits of their own in 10 s; 1,000 for 60 of others'.
    userSentBytesPerEdit: 100,
    userReceivedBytesPerEdit: 10_000 / 60,
  });
  expect([...samples.endToEndAmongProbesMs!]).toEqual([30]);
  expect([...samples.endToEndFromCrowdMs!]).toEqual([50, 100]);
  expect([...samples.endToEndLessBatchMs!]).toEqual([30, 80]);
  expect([...samples.endToEndLatencyMs!]).toEqual([30, 50, 100]);
});

test('what plays a crowd costs as much as all of it, and is unknown where one process is', async () => {
  const used = (memoryBytes: number | null) =>
    [11_000, 19_000].map((ms) => resources('crowd', ms, { cpuMs: ms, memoryBytes }));
  const trial = crowded({ ofCrowd: used(2 ** 20) });
  const other = { ...trial.users[2]!, lines: [...crowded().users[2]!.lines, ...used(null)] };
  const [known, partly] = await Promise.all(
    [trial.users, [...trial.users, other]].map((users) =>
      askTrial({ ...trial, users }, ({ records }) => records.rows('FROM crowd_use')),
    ),
  );
  expect(known).toMatchObject([{ crowdCpuPercent: 100, crowdMemoryMiB: 1 }]);
  expect(partly).toMatchObject([{ crowdCpuPercent: 200, crowdMemoryMiB: null }]);
});

test('a recording tells which of its sigils the crowd broke; of the others the probes’ screens vote', async () => {
  const keys = typing(15_000, { offered: 10, performed: 10 });
  const [broken, brokenTyping, brokenByProbe, whole] = ['0200@', '0201@', '0202@', '0203@'];
  const users = [
    knownUser(keys, shown(broken!, 12_100), shown(whole!, 15_100)),
    knownUser(keys, shown(whole!, 15_100)),
    knownUser(
      typing(15_000, { offered: 50, performed: 50 }),
      ...[broken!, brokenTyping!, brokenByProbe!, whole!].map((sigil, index) => sent(sigil, 12_000 + 1000 * index)),
      ownSigils({ [broken!]: 300, [brokenByProbe!]: null, [whole!]: null }),
    ),
  ];
  const trial: HandMadeTrial = { users, probes: 2, crowd: 'recorded', coordinator: [replayed('d')] };
  const { columns } = await askTrial(trial, figuresFrom);
  expect(columns).toMatchObject({ sent: 4, broken: 3, expected: 2, arrived: 2 });
});
