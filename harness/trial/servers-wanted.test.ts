import { expect, test, vi } from 'vitest';
import { childEnvironment } from '../../infra/process/environment.ts';
import { lastingProcessName } from '../../results/run-folder/process-name.ts';
import { fromProcess, ONE_IN_MEMORY, toProcess, wantedOf } from './servers-wanted.ts';

const GIVEN = {
  store: { url: 'postgresql://me:{env:DATABASE_PASSWORD}@db/postgres', reuse: true },
  broker: 'redis://:{env:DATABASE_PASSWORD}@bus',
};

test('one server in memory is started without a word about it', () => {
  expect(toProcess(wantedOf({}, { store: { url: null, reuse: false }, broker: null }))).toEqual({});
  expect(fromProcess({})).toEqual(ONE_IN_MEMORY);
});

test('addresses of what runs already go to the server’s process alone, with their secrets', () => {
  vi.stubEnv('DATABASE_PASSWORD', 'sec/ret');
  const wanted = wantedOf({ store: 'postgres', writeDelayMs: 20, servers: 3 }, GIVEN);
  expect(wanted).toEqual({
    servers: 3,
    store: 'postgres',
    storeUrl: 'postgresql://me:sec%2Fret@db/postgres',
    brokerUrl: 'redis://:sec%2Fret@bus',
    isReused: true,
    owner: lastingProcessName(),
    writeDelayMs: 20,
  });
  const told = toProcess(wanted);
  expect(fromProcess(told)).toEqual(wanted);
  expect(childEnvironment(told)).toEqual({});
});

test('the address is for the stores of its kind', () => {
  expect(wantedOf({ store: 'redis' }, GIVEN)).toMatchObject({
    servers: 1,
    store: 'redis',
    storeUrl: null,
    brokerUrl: null,
  });
  expect(wantedOf({ store: 'sqlite' }, GIVEN)).toMatchObject({ storeUrl: null, writeDelayMs: 0 });
});
