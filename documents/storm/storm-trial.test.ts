import { expect, test, vi } from 'vitest';
import { BackingFailure } from '../../harness/server/backing-failure.ts';
import { SubjectFailure } from '../scenario.ts';
import { loseServer } from './storm-trial.ts';

const users = { all: async () => [] };
const losing = (way: 'restart' | 'drop', error: Error) => {
  const fail = () => Promise.reject(error);
  return loseServer(way, { server: { restart: fail, drop: fail }, users, downForMs: 0 }).catch((thrown) => thrown);
};

test('a server that does not come back after it was killed has failed, unless what stands behind it did', async () => {
  const lost = await losing('restart', new Error('it does not start again after the requested crash: no memory'));
  expect(lost).toBeInstanceOf(SubjectFailure);
  expect(lost).toMatchObject({
    code: 'not-reopened',
    message: 'its server: it does not start again after the requested crash: no memory',
  });
  const behind = new BackingFailure('the disk is full');
  expect(await losing('restart', behind)).toBe(behind);
});

test('connections that could not be cut are no failure of the server', async () => {
  const error = new Error('it does not answer');
  expect(await losing('drop', error)).toBe(error);
});

test('a server that never listens again has failed, and the time that it was to be down does not count', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const failed: string[] = [];
  const server = { restart: () => new Promise<void>(() => {}), drop: async () => {} };
  loseServer('restart', { server, users, downForMs: 30_000 }).catch(({ code }) => failed.push(code));
  await vi.advanceTimersByTimeAsync(80_000);
  expect(failed).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(failed).toEqual(['not-reopened']);
  vi.useRealTimers();
});
