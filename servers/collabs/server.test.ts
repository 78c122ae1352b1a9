import * as prng from 'lib0/prng';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ServedUsers, serveUsers, until } from '../../tests/served-users.ts';

const SEED = 20_231;
const ROUNDS = 60;
const NEWCOMER_EVERY = 10;

let served: ServedUsers;
afterEach(() => served.close());

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe.each(['collabs', 'collabs-novc'])('%s', (framework) => {
  test('who joins while others type gets each message once, and none before those it depends on', async () => {
    // Without vector clocks, Collabs prints what it cannot deliver and goes on.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    served = await serveUsers(framework);
    const join = () => served.join({ receiveMs: 1 });
    await Promise.all([join(), join()]);

    const generator = prng.create(SEED);
    const newcomers: Promise<unknown>[] = [];
    let typed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      if (round % NEWCOMER_EVERY === 0) newcomers.push(join());
      for (const { editor } of served.users) {
        editor.insertText(prng.int32(generator, 0, editor.getLength() - 1), 'x', 'user');
        typed++;
      }
      await turn();
    }
    await Promise.all(newcomers);

    await until(() => served.users.every(({ editor }) => editor.getLength() === typed + 1));
    expect(served.agree(), `seed ${SEED}`).toBe(true);
    expect(served.users.flatMap(({ lost }) => lost)).toEqual([]);
    expect(printed).not.toHaveBeenCalled();
  });
});
