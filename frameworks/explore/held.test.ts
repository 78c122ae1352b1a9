import { expect, test } from 'vitest';
import { createVirtualClock } from '../../infra/virtual/clock.ts';
import { heldAfterRounds } from './held.ts';
import { WorldLine } from './line.ts';
import type { Stage } from './stage.ts';

/** A stage of one user: at each look there is another connection, and time brings messages. */
function stageWith({ keeps }: { keeps: unknown[] | null }) {
  const clock = createVirtualClock();
  const line = new WorldLine({ delayMs: 0, jitterMs: 0 }, { seed: 1, near: 'a', far: 'server' });
  const passages: object[] = [{ content: 'of before' }];
  const connectionsOf = () => {
    const connection = { cut() {} };
    keeps?.push(connection);
    return [connection];
  };
  const advance = async (untilMs: number) => {
    const content = new Uint8Array(100);
    keeps?.push(content);
    passages.push({ content }, { content: 'text' });
    await clock.run(untilMs);
  };
  const notes: object[] = [];
  const note = () => notes.push({});
  const after = (ms: number, call: () => void) => clock.at(clock.nowMs() + ms, call);
  const world = { users: [{}] };
  const visits = { world, join: () => ({}), dismiss() {} };
  return {
    here: [{ number: 0, line }],
    isOver: false,
    clock,
    passages,
    notes,
    note,
    after,
    advance,
    connectionsOf,
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
    [41, 41],
  ]);
  expect([leaky.passages.length, leaky.notes.length]).toEqual([1, 0]);
  for (const [of, held] of await heldBy(stageWith({ keeps: null }))) {
    expect(of).toBeGreaterThanOrEqual(20);
    // The engine may still know the last ones.
    expect(held).toBeLessThanOrEqual(2);
  }
});
