import { expect, test } from 'vitest';
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
