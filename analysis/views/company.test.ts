import { expect } from 'vitest';
import { UNSEEN } from '../../harness/crowd/socket-member.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial, NO_EDITS, ownSigils, sent, shown, typing } from '../test-data/hand-made-trial.ts';
import { askTrial } from '../test-data/opened-together.ts';
import { judged, settled, user } from '../test-data/sound-trial.ts';
import { figuresFrom, user as knownUser } from '../test-data/trial-folder.ts';
import { readTrialFaults } from '../trial/trial-figures.ts';

const account = (claimedCharacters: number) =>
  ({ type: 'account', atMs: at(25_000), ...NO_EDITS, claimedCharacters, claimedHash: 1, documentHash: 3 }) as const;
const received = (second: number, each: number, least = each): RecordLine => ({
  type: 'readers',
  atMs: at(1000 * second),
  readers: 4,
  receivedMessages: 4 * second,
  receivedBytes: 4 * each * second,
  leastBytes: least * second,
});
const ofSocket = { ...settled, ...UNSEEN, insertedCharacters: 0, deletedCharacters: 0, typedCharacters: 0 };
const ofReader = { ...settled, insertedCharacters: 0, deletedCharacters: 0, typedCharacters: 0 };
const company = { agents: 1, clientReaders: 1, socketReaders: 4 };

/** One user and an agent, who put in 60 characters each and took out 10; then a reader, and four who are sockets. */
function accompanied(given: { readers?: RecordLine[]; ofAgent?: number } = {}): HandMadeTrial {
  const { readers = [11, 19].map((second) => received(second, 1024)), ofAgent = 51 } = given;
  return {
    users: [
      user(settled, account(50)),
      user(settled, account(ofAgent)),
      user(ofReader, account(0)),
      user(ofSocket, ...readers),
    ],
    server: [],
    company,
  };
}

test('an agent’s edits are in the account, readers with a client in the proof, and a note tells of sockets', async () => {
  const [{ verdict, reasons, notes }, more] = await Promise.all([
    judged(accompanied()),
    judged(accompanied({ ofAgent: 60 })),
  ]);
  expect(reasons).toEqual([]);
  expect(verdict).toBe('valid');
  expect(notes.map(({ message }) => message)).toEqual([
    'the readers: sockets that only receive (4), and clients that hold the document (1), which is compared',
  ]);
  expect(more.reasons.map(({ code }) => code)).toEqual(['unaccounted-text']);
});

test('a reader who gets less than the others fails the trial', async () => {
  const readers = [received(11, 1024), received(19, 1024, 900)];
  expect(await judged(accompanied({ readers }))).toMatchObject({
    verdict: 'failed',
    reasons: [{ code: 'reader-unserved', message: expect.stringMatching(/\(88 %\)$/) }],
  });
  const refused = await judged({ ...accompanied({ readers }), backing: { document: 'theirs' } });
  expect(refused).toMatchObject({ verdict: 'invalid', reasons: [{ code: 'reader-refused' }] });
  const silent = await judged(accompanied({ readers: [received(11, 0), received(19, 0)] }));
  expect(silent.reasons.map(({ code }) => code)).toEqual(['reader-unserved']);
});

test('what company types and gets are figures, and no latency is theirs', async () => {
  const mine = [sent('00@a0', 12_000), shown('00@a0', 12_010), ownSigils({ '00@a0': null })];
  const typed = { ...typing(12_500, { offered: 10, performed: 10 }), insertedCharacters: 40, largestEdit: 4 };
  const trial: HandMadeTrial = {
    users: [
      knownUser(...mine, typing(12_500, { offered: 5, performed: 5 })),
      knownUser(shown('00@a0', 12_030)),
      knownUser(shown('00@a0', 12_900), typed),
      knownUser(shown('00@a0', 12_900)),
      knownUser(...[10, 15, 20].map((second) => received(second, 2048))),
    ],
    company,
  };
  const { columns, samples } = await askTrial(trial, figuresFrom);
  expect(columns).toMatchObject({
    editsPerSecond: 1.5,
    agentCharactersPerSecond: 4,
    readerReceivedKiBps: 2,
    readerMessagesPerSecond: 1,
    performed: 5,
  });
  expect([...samples.endToEndLatencyMs!]).toEqual([30]);
});

test('a fault that strikes all struck the users, as many as the cell has', async () => {
  const asked = { type: 'asked-fault', kind: 'network-cut', beganMs: at(12_000), endedMs: at(13_000) } as const;
  const coordinator = [
    { ...asked, fault: 0, users: [] },
    { ...asked, fault: 1, users: [0, 2, 3] },
  ];
  const struck = await askTrial({ ...accompanied(), coordinator }, ({ records }) => readTrialFaults(records));
  // Beside the first user there is one agent.
  expect(struck.map(({ users }) => users)).toEqual([1, 1]);
});

test('an agent whose client gives up is no user who is gone', async () => {
  const asked = { type: 'asked-fault', kind: 'network-cut', beganMs: at(12_000), endedMs: at(13_000) } as const;
  const gone = async (index: number) => {
    const trial = accompanied();
    trial.users[index]!.lines.push({ type: 'connection', atMs: at(14_000), state: 'gone' });
    const coordinator = [{ ...asked, fault: 0, users: [] }];
    return await askTrial({ ...trial, coordinator }, ({ records }) => readTrialFaults(records));
  };
  expect((await Promise.all([gone(0), gone(1)])).map(([fault]) => fault!.usersGone)).toEqual([1, 0]);
});

test('latencies at slowed-down pages are told apart, and a note tells of them', async () => {
  const mine = [sent('00@a0', 12_000), shown('00@a0', 12_010), ownSigils({ '00@a0': null })];
  const theirs = [sent('01@a0', 13_000), shown('01@a0', 13_080), ownSigils({ '01@a0': null })];
  const users = [
    knownUser(...mine, shown('01@a0', 13_090)),
    { ...knownUser(...theirs, shown('00@a0', 12_110)), cpuSlowdown: 4 },
  ];
  const slowed = { ...user(settled), cpuSlowdown: 4 };
  const [{ samples, columns }, { notes }, without] = await Promise.all([
    askTrial({ users }, figuresFrom),
    judged({ users: [user(settled), slowed], server: [] }),
    askTrial({ users: [knownUser(...mine), knownUser(shown('00@a0', 12_110))] }, figuresFrom),
  ]);
  expect(samples).toMatchObject({
    slowPagesLocalLatencyMs: Float64Array.of(80),
    otherPagesLocalLatencyMs: Float64Array.of(10),
    slowPagesEndToEndMs: Float64Array.of(110),
    otherPagesEndToEndMs: Float64Array.of(90),
  });
  expect(columns).toMatchObject({ sigilsSeenAtSlowPages: 1, sigilsSeenAtOtherPages: 1 });
  expect(notes.map(({ code }) => code)).toEqual(['pages-slowed']);
  expect(without.samples.otherPagesEndToEndMs).toHaveLength(0);
});
