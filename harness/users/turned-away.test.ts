import { expect, test } from 'vitest';
import { TurnedAway } from './turned-away.ts';

/** A user who has joined, and what it tells of being turned away. */
async function joinedUser() {
  const refusals: [string, string][] = [];
  const turnedAway = new TurnedAway((...refusal) => refusals.push(refusal));
  await turnedAway.joined(Promise.resolve());
  return { turnedAway, refusals };
}

test.each([
  { by: 'close', code: 1001, reason: '' },
  { by: 'close', code: 1006, reason: '' },
  { by: 'cut', quietMs: 20 },
] as const)('a server that ends each connection in order is to blame once a client gives up: %o', async (ending) => {
  const { turnedAway, refusals } = await joinedUser();
  turnedAway.ended(ending);
  turnedAway.back();
  expect(turnedAway.explains('of itself')).toBe(false);
  turnedAway.ended(ending);
  turnedAway.ended(ending);
  expect(refusals).toEqual([]);
  expect(turnedAway.explains('not back within 10 s')).toBe(true);
  expect(refusals).toEqual([[expect.stringMatching(/the connection.* \(closed\) → /), 'foreign']]);
});

test('a user whom a server lets go for silence comes back; one that it never let in does not', async () => {
  const silence = { by: 'close', code: 4408, reason: 'Timeout' } as const;
  const { turnedAway, refusals } = await joinedUser();
  turnedAway.ended(silence);
  turnedAway.back();
  expect(refusals).toEqual([]);
  const told: string[] = [];
  new TurnedAway((message) => told.push(message)).ended(silence);
  expect(told).toEqual([expect.stringContaining('code 4408')]);
});

test.each([
  ['refused', 'not let in'],
  ['read-only', 'read-only'],
  ['rate limit', 'rate limit'],
  ['too large', 'too large'],
] as const)('a client that is turned away as %s is told of as %s', async (how, kind) => {
  const { turnedAway, refusals } = await joinedUser();
  expect(turnedAway.explains('because', how)).toBe(true);
  const message = expect.stringContaining(`the server turned it away: because (${kind}) → `);
  expect(refusals).toEqual([[message, kind === 'read-only' ? kind : 'foreign']]);
});
