import { describe, expect, test } from 'vitest';
import { realTimer, type Timer } from '../../infra/clock.ts';
import { AGREED, never } from '../../tests/runs.ts';
import { STATE_PERIOD_MS } from '../experiment/settling.ts';
import { Mailbox } from './member.ts';
import {
  ANSWER_LIMIT_MS,
  admitLimitMs,
  boundBy,
  joinInTurn,
  type StateAnswer,
  timelineFrom,
  untilAgreed,
} from './steps.ts';

const forever = () => new Promise<never>(() => {});

test('users, agents and readers who join one after another have the time for it', () => {
  const limitMs = (agents?: string, readers?: number) => admitLimitMs({ users: 2, agents, readers }, 5000);
  const alone = limitMs();
  expect(limitMs('8-stream') - alone).toBeGreaterThanOrEqual(8 * 5000);
  expect(limitMs(undefined, 8) - alone).toBeGreaterThanOrEqual(8 * 5000);
});

describe('a bounded step', () => {
  test('that ends in time gives what it brings, or its own error', async () => {
    const within = boundBy(never);
    expect(await within(1000, 'it', async () => 5)).toBe(5);
    const failing = within(1000, 'it', () => Promise.reject(new Error('its own')));
    await expect(failing).rejects.toThrow('its own');
  });

  test('that does not, is a failure of the trial, though the step itself heeds no signal', async () => {
    const within = boundBy(never);
    await expect(within(10, 'the start of the server', forever)).rejects.toMatchObject({
      code: 'too-slow',
      message: 'the start of the server did not happen within 1 s',
    });
  });

  test('ends with the trial, and does not begin after it', async () => {
    const trial = new AbortController();
    const within = boundBy(trial.signal);
    const step = within(60_000, 'it', forever);
    trial.abort(new Error('Ctrl-C'));
    await expect(step).rejects.toThrow('Ctrl-C');
    let begun = false;
    const next = within(60_000, 'it', async () => {
      begun = true;
    });
    await expect(next).rejects.toThrow('Ctrl-C');
    expect(begun).toBe(false);
  });
});

test('the others join once the first is ready, where it is to come alone', async () => {
  const users = [0, 1, 2].map(() => new Mailbox<{ type: 'ready' }>());
  const assigned: number[] = [];
  const all = joinInTurn(users, {
    assign: (user) => assigned.push(users.indexOf(user)),
    ...{ periodMs: 0, isFirstAlone: true, timer: realTimer, signal: never },
  });
  expect(assigned).toEqual([0]);
  users[0]!.deliver({ type: 'ready' });
  await expect.poll(() => assigned).toEqual([0, 1, 2]);
  for (const user of users.slice(1)) user.deliver({ type: 'ready' });
  await all;
});

const durations = { warmUpMs: 5_000, measureMs: 60_000, profileMs: 10_000, settleMs: 1 };

test('profilers begin when sigils of the measured window have had 3 s to arrive', () => {
  expect(timelineFrom(1_000, durations)).toEqual({
    warmUpMs: 1_000,
    measureMs: 6_000,
    profileMs: 66_000,
    profilersMs: 69_000,
    endMs: 76_000,
  });
});

test('of a short phase they have half; of none, nothing', () => {
  expect(timelineFrom(0, { ...durations, profileMs: 2_000 })).toMatchObject({ profilersMs: 66_000, endMs: 67_000 });
  expect(timelineFrom(0, { ...durations, profileMs: 0 })).toMatchObject({ profilersMs: 65_000, endMs: 65_000 });
});

const answer = (changes: Partial<StateAnswer['state']> = {}, typing = false): StateAnswer => ({
  state: { ...AGREED, ...changes },
  typing,
});
const END_MS = 1000;

/** Users whose rounds of answers are given, the last one again and again, and a clock that only waiting and asking moves. */
async function settleWith(rounds: StateAnswer[][], { answersTakeMs = 1, leastAnswerMs = 250, startMs = 0 } = {}) {
  let nowMs = startMs;
  const limits: number[] = [];
  const timer: Timer = {
    nowMs: () => nowMs,
    async until(instantMs) {
      nowMs = Math.max(nowMs, instantMs);
    },
  };
  const agreed = await untilAgreed({
    async ask(limitMs) {
      limits.push(limitMs);
      nowMs += answersTakeMs;
      if (answersTakeMs > limitMs) throw new Error('no answer');
      return rounds[Math.min(limits.length, rounds.length) - 1]!;
    },
    endMs: END_MS,
    leastAnswerMs,
    timer,
    signal: never,
  });
  return { agreed, limits, endedMs: nowMs };
}

describe('settling', () => {
  test('ends as soon as all agree', async () => {
    expect(await settleWith([[answer(), answer()]])).toEqual({ agreed: true, limits: [ANSWER_LIMIT_MS], endedMs: 1 });
  });

  test('waits for who still types, and for documents that differ', async () => {
    const rounds = [
      [answer(), answer({}, true)],
      [answer(), answer({ modelDigest: 'other' })],
      [answer(), answer()],
    ];
    const { agreed, limits } = await settleWith(rounds);
    expect(agreed).toBe(true);
    expect(limits).toHaveLength(3);
  });

  test.each([
    ['a model', { modelDigest: 'other' }],
    ['an editor', { editorDigest: 'other' }],
    ['a screen', { screenTextDigest: 'other' }],
  ])('is not done while %s differs, and ends at its bound', async (_what, changes) => {
    const { agreed, limits, endedMs } = await settleWith([[answer(), answer(changes)]]);
    expect(agreed).toBe(false);
    // At 0, 251, 502 and 753.
    expect(limits).toHaveLength(4);
    expect(endedMs).toBeLessThan(END_MS + STATE_PERIOD_MS);
  });

  test('knows nothing where one cannot be seen, unless the others differ', async () => {
    const closed = { modelDigest: null, shownModelDigest: null, editorDigest: null, editorTextDigest: null };
    const hosted = (screenTextDigest: string | null) => answer({ ...closed, screenTextDigest });
    expect((await settleWith([[hosted('a'), hosted('a')]])).agreed).toBe(true);
    expect((await settleWith([[hosted('a'), hosted(null)]])).agreed).toBeNull();
    expect((await settleWith([[hosted('a'), hosted('b'), hosted(null)]])).agreed).toBe(false);
  });

  test('an answer that was asked for in time may take longer; one that was not is no proof', async () => {
    const slow = await settleWith([[answer()]], { answersTakeMs: 5000, leastAnswerMs: 60_000 });
    expect(slow).toMatchObject({ agreed: true, limits: [60_000] });
    expect(await settleWith([[answer()]], { startMs: END_MS })).toMatchObject({ agreed: false, limits: [] });
  });

  test('an answer that is late is waited for, and is no agreement; one that does not come is a failure', async () => {
    const late = await settleWith([[answer()]], { answersTakeMs: END_MS + 1 });
    expect(late).toMatchObject({ agreed: false, limits: [ANSWER_LIMIT_MS] });
    await expect(settleWith([[answer()]], { answersTakeMs: ANSWER_LIMIT_MS + 1 })).rejects.toThrow('no answer');
  });
});
