import { expect, test } from 'vitest';
import { agentTyping } from './agent.ts';

const options = { user: 8, users: 8, seed: 1, edits: [{ kind: 'paste', move: 5, text: '\n\n' } as const] };

test('an agent that streams makes room for a paragraph, and types tokens into it, about 75 a second', () => {
  const { schedule, typist } = agentTyping('stream', options);
  const actions = Array.from({ length: 200 }, () => typist.nextEdit());
  expect(actions[0]).toEqual(options.edits[0]);
  expect(actions.slice(1, 3)).toMatchObject([
    { kind: 'paste', move: -1 },
    { kind: 'paste', move: 0 },
  ]);
  const texts = actions.slice(1).map((action) => ('text' in action ? action.text : ''));
  expect(texts.every((text) => text.length === 4 && !text.includes('\n'))).toBe(true);
  expect(schedule.dueMs(0)).toBe(0);
  expect(schedule.dueMs(7500)).toBeGreaterThan(95_000);
  expect(schedule.dueMs(7500)).toBeLessThan(105_000);
  expect([0, 1, 5, 99].some((k) => schedule.startsSigil(k))).toBe(false);
  const again = agentTyping('stream', options).typist;
  expect(Array.from({ length: 200 }, () => again.nextEdit())).toEqual(actions);
});

test('one that rewrites replaces its 2,000 characters by others, once in each 10 s', () => {
  const { schedule, typist } = agentTyping('rewrite', options);
  const [room, first, ...rewrites] = Array.from({ length: 5 }, () => typist.nextEdit());
  expect([room, first]).toMatchObject([options.edits[0], { kind: 'paste', move: -1 }]);
  expect(rewrites.map(({ kind }) => kind)).toEqual(['rewrite', 'rewrite', 'rewrite']);
  const texts = [first!, ...rewrites].map((action) => ('text' in action ? action.text : ''));
  expect(texts.map((text) => text.length)).toEqual([2000, 2000, 2000, 2000]);
  expect(new Set(texts).size).toBe(4);
  for (const k of [1, 2, 3]) expect(Math.floor(schedule.dueMs(k) / 10_000)).toBe(k - 1);
});
