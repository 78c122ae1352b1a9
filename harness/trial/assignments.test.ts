import { expect, test } from 'vitest';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { experiment } from '../experiment/experiment.ts';
import { assignmentOf, documentOf, fittedTo } from './assignments.ts';
import { usersOf } from './trial-users.ts';

function batchingOf(user: number, written: object, trial = { users: 8, seed: 7 }) {
  const planned = { cell: 'cell', framework: 'yjs', mode: 'noquill', trial: 1, directory: 'trials/cell-1', ...trial };
  const parsed = experiment.written.parse(written);
  const context = { planned, experiment: parsed, serverUrls: ['ws://server'], pageUrl: 'http://page' };
  return assignmentOf(usersOf(parsed, context)[user]!, [], context).batching;
}

test('received batches end at ticks of a phase that is the user’s own, and the same whenever the trial is run again', () => {
  const phases = Array.from({ length: 8 }, (_, user) => batchingOf(user, {}).receivePhaseMs!);
  expect(new Set(phases).size).toBe(8);
  for (const phase of phases) {
    expect(phase).toBeGreaterThanOrEqual(0);
    expect(phase).toBeLessThan(50);
  }
  expect(batchingOf(3, {}).receivePhaseMs).toBe(phases[3]);
  expect(batchingOf(3, {}, { users: 8, seed: 8 }).receivePhaseMs).not.toBe(phases[3]);
});

test('as in the paper, they begin with their first message', () => {
  expect(batchingOf(3, { batching: { receiveRhythm: 'trailing' } })).toEqual({ receiveMs: 50, sendMs: 0 });
});

test.each([
  ['always', 2, 1000],
  ['never', 200, 0],
  [64, 63, 0],
  [64, 64, 1000],
])(
  'what is sent is gathered from the users on that the experiment says: %s, %d users',
  (sendFromUsers, users, sendMs) => {
    expect(batchingOf(0, { batching: { sendFromUsers } }, { users, seed: 1 }).sendMs).toBe(sendMs);
  },
);

test.each([
  ['optquill', {}, 64],
  ['noquill', {}, 'never'],
  ['optquill', { withoutSendBatching: 'It gathers by itself.' }, 'never'],
])('in the modes that it names: %s, at a framework that says %o', (mode, about, sendFromUsers) => {
  const written = experiment.written.parse({ batching: { sendModes: ['optquill'] } });
  expect(fittedTo(written, about as FrameworkAbout, { mode }).batching.sendFromUsers).toBe(sendFromUsers);
});

test('the document has one name in all modes, live and among a played crowd: it may be part of every message', () => {
  const planned = { cell: 'yjs-8', framework: 'yjs', users: 8, trial: 2, seed: 1, directory: 'trials/yjs-8-2' };
  const trials: PlannedTrial[] = [
    { ...planned, mode: 'noquill' },
    { ...planned, mode: 'optquill', cell: 'yjs-optquill-8' },
    { ...planned, mode: 'optquill', probes: 2 },
  ];
  expect(trials.map(documentOf)).toEqual(['yjs-8-2', 'yjs-8-2', 'yjs-8-2']);
});

test('users go to several servers in turns, or all to the first', () => {
  const planned = { cell: 'c', framework: 'yjs', mode: 'node', users: 4, trial: 1, seed: 1, directory: 'trials/c-1' };
  const serverUrls = ['ws://one', 'ws://two', 'ws://three'];
  const joinAt = (written: object, readers?: number) => {
    const parsed = experiment.written.parse(written);
    const trial = { ...planned, readers };
    const context = { planned: trial, experiment: parsed, serverUrls, pageUrl: 'http://page' };
    return usersOf(parsed, { planned: trial }).map((user) => assignmentOf(user, [], context));
  };
  expect(joinAt({}).map(({ serverUrl }) => serverUrl)).toEqual(['ws://one', 'ws://two', 'ws://three', 'ws://one']);
  expect(new Set(joinAt({ affinity: 'document' }).map(({ serverUrl }) => serverUrl))).toEqual(new Set(['ws://one']));
  expect(joinAt({}, 9).at(-1)!.readers).toMatchObject({ count: 7, servers: serverUrls });
  expect(joinAt({ affinity: 'document' }, 9).at(-1)!.readers!.servers).toBeUndefined();
});
