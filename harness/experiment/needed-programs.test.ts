import { expect, test } from 'vitest';
import { UserError } from '../../results/user-error.ts';
import type { BackedFrameworks } from './backing.ts';
import { programLines, requirePrograms } from './needed-programs.ts';

const frameworks: BackedFrameworks = new Map([
  ['told', { about: { stores: { postgres: means() }, severalServers: { by: 'a bus', needsRedis: true } } }],
  ['direct', { about: { severalServers: { by: 'peers' } } }],
]);
const experiment = {
  store: { url: null as string | null },
  broker: null,
  fleet: { on: 'local' as const },
};
const plan = [{ framework: 'told' }, { framework: 'told', store: 'postgres', servers: 2 }];
const nothing = async (name: string) => ({ problem: `there is no ${name}; apt-get install ${name}` });

function means() {
  return { by: 'an adapter', writes: 'all' };
}

test('a run that needs programs which are not here ends before it begins, and says how to have them', async () => {
  const refused = requirePrograms({ experiment, plan, frameworks }, nothing);
  await expect(refused).rejects.toEqual(
    new UserError(
      'postgres is not here (the store of told): there is no postgres; apt-get install postgres\n' +
        'redis is not here (what servers of told tell each other by): there is no redis; apt-get install redis',
      { exitCode: 3 },
    ),
  );
  await expect(refused).rejects.toMatchObject({ exitCode: 3 });
});

test('the plan says which are here, and warns of the others', async () => {
  const find = async (name: string) =>
    name === 'redis' ? { path: '/usr/bin/redis-server', version: '8.0' } : nothing(name);
  expect(await programLines({ experiment, plan, frameworks }, find)).toEqual([
    'warning: postgres (the store of told) is not here: there is no postgres; apt-get install postgres',
    'redis 8.0 is here: what servers of told tell each other by',
  ]);
});

test.each([
  ['in memory, at one server', {}, [{ framework: 'told' }]],
  ['of servers that tell each other directly', {}, [{ framework: 'direct', servers: 3 }]],
  [
    'of a database that runs already',
    { store: { url: 'postgres://h/db' } },
    [{ framework: 'told', store: 'postgres' }],
  ],
  ['of a Redis that runs already', { broker: 'redis://h' }, [{ framework: 'told', servers: 2 }]],
])('%s nothing is needed', async (_, elsewhere, trials) => {
  const given = { ...experiment, ...elsewhere };
  await requirePrograms({ experiment: given, plan: trials, frameworks }, nothing);
  expect(await programLines({ experiment: given, plan: trials, frameworks }, nothing)).toEqual([]);
});

test('in containers the image has them', async () => {
  const given = { ...experiment, fleet: { ...experiment.fleet, on: 'compose' as const } };
  expect(await programLines({ experiment: given, plan, frameworks }, nothing)).toEqual([]);
});
