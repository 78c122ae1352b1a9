import { expect, test } from 'vitest';
import { awaitQuietMachine, type SeenMachine, whyBusy } from './quiet-machine.ts';

const QUIET: SeenMachine = { speed: { oneCore: 300, allCores: 560 }, load: 0, busyPercent: 3, stealPercent: 0 };

function wait(seen: readonly SeenMachine[], isOwnLoad = false) {
  const said: string[] = [];
  const looks = [...seen];
  const waited = awaitQuietMachine({
    ...{ isOwnLoad, say: (text: string) => said.push(text), signal: new AbortController().signal },
    ...{ look: async () => looks.shift() ?? seen.at(-1)!, pauseMs: 1, patienceMs: 3 },
  });
  return { said, waited };
}

test('a quiet machine is taken at once', async () => {
  const { said, waited } = wait([QUIET]);
  expect(await waited).toBe(QUIET);
  expect(said).toEqual([]);
});

test('a machine that becomes quiet is waited for, with what is seen', async () => {
  const { said, waited } = wait([{ ...QUIET, busyPercent: 90 }, QUIET]);
  expect(await waited).toBe(QUIET);
  expect(said[0]).toMatch(/^Waiting for a quiet machine, .* at most: Others: all cores 90 % busy/);
});

test('one that stays busy, or whose time others take, is refused with exit code 5', async () => {
  for (const busy of [{ busyPercent: 90 }, { stealPercent: 10 }]) {
    const { waited } = wait([{ ...QUIET, ...busy }]);
    await expect(waited).rejects.toMatchObject({ exitCode: 5, message: expect.stringContaining('is not quiet') });
  }
});

test('the load of the trials before is not held against the next block', () => {
  const loaded = { ...QUIET, load: 1000 };
  expect(whyBusy(loaded, { isOwnLoad: true })).toEqual([]);
});

test('an interruption ends the waiting', async () => {
  const reason = new Error('Ctrl-C');
  const waited = awaitQuietMachine({
    ...{ isOwnLoad: false, say() {}, signal: AbortSignal.abort(reason) },
    look: async () => ({ ...QUIET, busyPercent: 90 }),
  });
  await expect(waited).rejects.toBe(reason);
});
