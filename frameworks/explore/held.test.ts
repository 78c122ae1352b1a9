import { expect, test } from 'vitest';
import { createVirtualClock } from '../../infra/virtual/clock.ts';
import { heldAfterRounds } from './held.ts';
import { INVARIANTS } from './invariants.ts';
import { TextLedger } from './ledger.ts';
import { createLine } from './line.ts';
import type { Stage } from './stage.ts';

interface Plan {
  keeps?: unknown[];
  letsVisitorsIn?: boolean;
  /** In the first round. */
  throws?: boolean;
}

/** A stage of one user: at each look there is another connection, and time brings messages. */
function stageWith({ keeps, letsVisitorsIn = true, throws = false }: Plan) {
  const clock = createVirtualClock();
  const line = createLine({ delayMs: 0, jitterMs: 0 }, { seed: 1, near: 'a', far: 'server' });
  const passages: object[] = [{ content: 'of before' }];
  const thrown: Error[] = [];
  let leaving = 0;
  const connectionsOf = () => {
    const connection = { cut: () => leaving > 0 && thrown.push(new Error('cut while a visitor leaves')) };
    keeps?.push(connection);
    return [connection];
  };
  const advance = async (untilMs: number) => {
    if (throws) thrown.push(new Error('no such connection'));
    const content = new Uint8Array(100);
    keeps?.push(content);
    passages.push({ content }, { content: 'text' });
    await clock.run(untilMs);
  };
  const notes: object[] = [];
  const note = () => notes.push({});
  const world = { users: [{}] };
  const dismiss = () => {
    leaving++;
    clock.after(1000, () => leaving--);
  };
  const visits = { world, join: () => ({ isHere: letsVisitorsIn }), dismiss };
  return {
    here: [{ number: 0, line, lost: null, contents: () => '[]', text: () => '' }],
    ledger: new TextLedger(),
    get isOver() {
      return thrown.length > 0;
    },
    isEndless: false,
    thrown,
    clock,
    passages,
    notes,
    note,
    advance,
    servers: { connectionsOf },
    ...visits,
  };
}

test('what somebody keeps of connections that are gone, and of messages, is counted; the stage keeps nothing', async () => {
  const heldBy = async (stage: object) => (await heldAfterRounds(stage as Stage)).map(({ of, held }) => [of, held]);
  const keeps: unknown[] = [];
  const leaky = stageWith({ keeps });
  expect(await heldBy(leaky)).toEqual([
    [20, 20],
    [20, 20],
    [61, 61],
  ]);
  expect([leaky.passages.length, leaky.notes.length]).toEqual([1, 0]);
  for (const [of, held] of await heldBy(stageWith({}))) {
    expect(of).toBeGreaterThanOrEqual(20);
    // The engine may still know the last ones.
    expect(held).toBeLessThanOrEqual(2);
  }
});

test('a few of each user may be left, but not many', async () => {
  const brokenBy = async (most: number) => {
    const keeps: unknown[] = [];
    const kept = {
      push: (each: object) => each instanceof Uint8Array && keeps.length < most && keeps.push(each),
    } as unknown[];
    const stage = stageWith({ keeps: kept }) as unknown as Stage;
    const seen = { restMessages: 0, saved: null, held: await heldAfterRounds(stage) };
    const broken = INVARIANTS.find(({ id }) => id === 'memory')!.broken(stage, seen);
    // Until then whatever is kept must live.
    return [keeps.length, broken];
  };
  expect(await brokenBy(2)).toEqual([2, null]);
  expect(await brokenBy(8)).toEqual([
    8,
    expect.stringMatching(/ of 61 messages that changed nothing are still in memory$/),
  ]);
});

test('a document’s messages that visitors get again are no leak', async () => {
  const stage = stageWith({});
  const log = Array.from({ length: 40 }, () => ({ content: new Uint8Array(100) }));
  stage.passages.push(...log);
  const advance = async (untilMs: number) => {
    stage.passages.push(...log);
    await stage.advance(untilMs);
  };
  const [, , messages] = await heldAfterRounds({ ...stage, isOver: false, advance } as unknown as Stage);
  expect(log).toHaveLength(40);
  expect(messages).toMatchObject({ of: 61 });
});

test('rounds that were not played are no proof: what was thrown meanwhile is told, and that nobody got in', async () => {
  const brokenOn = async (plan: Plan) => {
    const stage = stageWith(plan) as unknown as Stage;
    const seen = { restMessages: 0, saved: null, held: await heldAfterRounds(stage) };
    return INVARIANTS.filter(({ at }) => at.includes('long after')).flatMap(({ broken }) => broken(stage, seen) ?? []);
  };
  expect(await brokenOn({})).toEqual([]);
  expect((await brokenOn({ throws: true }))[0]).toMatch(/^no such connection/);
  expect(await brokenOn({ letsVisitorsIn: false })).toEqual(['only 0 connections of users who left were seen, not 20']);
});
