import { describe, expect, test } from 'vitest';
import type { Hosting } from '../../../editors/base/framework.ts';
import { experiment } from '../experiment.ts';
import { resolveExperiment } from '../experiment-file.ts';
import { formatPlan, makePlan } from '../plan.ts';
import { problems } from '../test-data/resolving.ts';
import type { KnownFramework } from './rule.ts';

const means = { by: 'an adapter', writes: 'all' };
const known: KnownFramework[] = [
  { name: 'plain', about: {} },
  { name: 'filed', about: { stores: { files: means }, severalServers: { by: 'peers' } } },
  {
    name: 'based',
    about: {
      stores: { postgres: means, redis: means },
      severalServers: { by: 'a bus', needsRedis: true, needsStore: 'postgres' },
    },
  },
  { name: 'played', about: { crowd: { kind: 'recorded', why: 'It may.' } } },
  { name: 'attached', about: { stores: { files: means }, attaches: { protocol: 'p', documentIn: 'path' } } },
  { name: 'service', about: { hosted: { mostUsers: 9 } as Hosting } },
];
const byName = new Map(known.map((framework) => [framework.name, framework]));
const resolve = (input: object) => resolveExperiment({ frameworks: 'plain', ...input }, { frameworks: known });
const url = 'postgres://me@127.0.0.1:5432/postgres';
const elsewhere = { framework: 'attached', url: 'ws://h/x' };

test('as they are written, and what the code has', () => {
  expect(resolve({ servers: [] }).servers).toEqual({ counts: [1], attached: [] });
  expect(resolve({ servers: [1, 3] }).servers).toEqual({ counts: [1, 3], attached: [] });
  expect(resolve({ frameworks: 'attached', servers: elsewhere }).servers).toMatchObject({
    counts: [1],
    attached: [{ framework: 'attached', url: 'ws://h/x', joinEveryMs: 100 }],
  });
  const named = 'postgres://me:{env:PASSWORD}@db/postgres';
  expect(resolve({ frameworks: 'based', stores: 'postgres', store: { url: named, writeDelay: '20ms' } }).store).toEqual(
    {
      url: named,
      reuse: false,
      writeDelayMs: [20],
    },
  );
});

test('a fault in a plan of before there were several servers is of all', () => {
  const faults = [{ kind: 'server-restart', atMs: 1000, forMs: 1000 }];
  expect(experiment.resolved.parse({ ...resolve({}), faults })).toMatchObject({ faults: [{ which: null }] });
});

describe('what cannot be', () => {
  test.each([
    [{ servers: 10 }, 'servers[0]: 10 is not valid; write a whole number from 1 to 9'],
    [
      { servers: 'three' },
      'servers[0]: "three" is not valid; write a whole number from 1 to 9, or a block of properties such as { framework: yjs, url: "ws://127.0.0.1:1234" }',
    ],
    [
      { frameworks: 'attached', servers: [elsewhere, 3] },
      'servers[1]: 3 counts servers that each trial starts, and the blocks beside it are servers that somebody else runs; write counts or blocks',
    ],
    [
      { frameworks: 'attached', servers: [{ ...elsewhere, url: 'http://h' }] },
      'servers[0].url: "http://h" is not valid; write an address such as wss://example.org/path',
    ],
    [
      { frameworks: 'attached', servers: [{ ...elsewhere, tokn: 'x' }] },
      expect.stringContaining('servers[0].tokn: there is no such property; did you mean "token"?'),
    ],
    [{ servers: [2, 2] }, 'servers[1]: 2 is written twice here; write it once'],
    [{ stores: ['memory', 'memory'] }, 'stores[1]: "memory" is written twice here; write it once'],
    [
      { stores: ['sqlite', 'files'] },
      'stores: none of the frameworks keeps documents in sqlite or files, so nothing would run; these do: filed, attached; or write memory',
    ],
    [
      { frameworks: 'based', stores: ['redis'], store: { url } },
      'store.url: "postgres:" is the address of a postgres, and the stores are redis; write "stores: postgres", or null',
    ],
    [
      { frameworks: 'based', stores: ['postgres'], store: { url: 'postgres://me:secret@h/db' } },
      'store.url: a password stands there for everyone to read, and would be kept with a run; write {env:NAME} or {file:PATH} in its place',
    ],
    [
      { frameworks: 'based', stores: ['postgres'], servers: 2, broker: 'redis://:secret@h' },
      'broker: a password stands there for everyone to read, and would be kept with a run; write {env:NAME} or {file:PATH} in its place',
    ],
    [
      { broker: 'redis://h' },
      'broker: a broker connects several servers, and a cell has one; write "servers: 2" or more, or null',
    ],
    [
      { servers: 2, broker: 'redis://localhost', fleet: { on: 'compose' } },
      'broker: on compose each process has a loopback address of its own; write an address that all reach, or local',
    ],
    [
      { frameworks: 'based', stores: ['postgres'], store: { url: 'postgres://{env:ALL}' } },
      expect.stringMatching(/^store.url: "postgres:.* is not valid; write an address such as postgres:/),
    ],
    [
      { frameworks: 'based', stores: ['postgres'], store: { url: 'http://h' } },
      expect.stringMatching(/^store.url: "http:\/\/h" is not valid; write an address such as postgres:/),
    ],
    [
      { frameworks: 'based', stores: ['postgres'], store: { url }, fleet: { on: 'compose' } },
      'store.url: on compose each process has a loopback address of its own; write an address that all reach, or local',
    ],
    [
      { frameworks: 'based', stores: ['postgres'], store: { reuse: true } },
      'store.reuse: each trial has a new store of its own, so there is nothing to reuse; write "store.url" of a database that runs already, or false',
    ],
    [
      { store: { writeDelay: ['0s', '20ms'] } },
      'store.writeDelay: documents are kept in memory alone, so no write waits; write a store beside it, or 0s',
    ],
    [
      { frameworks: 'attached', stores: ['memory', 'files'], servers: elsewhere },
      'stores: a server that somebody else runs keeps documents where it does; leave "stores" out, or run that server in an experiment of its own',
    ],
    [
      { servers: 3, fleet: { on: 'fargate', region: 'us-east-1' } },
      'servers: on fargate, machines reach each other at a few ports only, too few for several servers; write 1, or "on: local or compose or workers"',
    ],
    [
      { frameworks: 'service', servers: 2 },
      'servers: "service" is somebody else\'s service, so its number of servers cannot be set; write 1, or run it in an experiment of its own',
    ],
    [
      { frameworks: 'played', users: 8, probes: 2, servers: [1, 2] },
      'servers: the crowd of "played" is played from a recording, which knows of one server; write 1, or "probes: all"',
    ],
  ])('%j', async (input, problem) => {
    expect(await problems(() => resolve(input))).toEqual([problem]);
  });
});

describe('faults that cannot strike', () => {
  const at = (fault: object, more: object = {}) => ({ faults: [{ at: '1s', ...fault }], users: 4, ...more });
  test.each([
    [
      at({ server: 'restart', which: 3, downFor: '1s' }, { servers: [3, 2] }),
      'faults[0].which: there is no server 3 in the smallest cell, which has 2; write 2 at most, or leave it out for all',
    ],
    [
      at({ server: 'pause', which: 2, for: '1s' }, { servers: 2, affinity: 'document' }),
      'faults[0].which: with "affinity: document" all users are at server 1, so nobody would notice; write 1, or "affinity: spread"',
    ],
    [
      at({ server: 'pause', which: 3, for: '1s' }, { servers: 3, users: 2 }),
      'faults[0].which: none of the 2 users of the smallest cell is at server 3; write 2 at most',
    ],
    [at({ server: 'roll', which: 1, downFor: '1s' }), 'faults[0].which: "server: roll" does not take it; leave it out'],
    [
      at({ server: 'pause' }),
      'faults[0].for: the fault "server: pause" needs "for", which is missing; write a duration such as 500ms, 10s or 5m, longer than 0',
    ],
    [
      at({ broker: 'restart', downFor: '1s' }, { frameworks: 'filed', servers: [1, 2] }),
      'faults[0].at: it strikes what is between several servers, and a cell has one; write "servers: 2" or more',
    ],
    [
      at({ server: 'apart', for: '1s' }, { servers: 2 }),
      'faults[0].at: with these stores, several servers of plain share nothing; leave the fault out, or run it in an experiment of its own',
    ],
    [
      at(
        { broker: 'restart', downFor: '1s' },
        { frameworks: ['based', 'filed'], servers: 2, stores: ['postgres', 'files'] },
      ),
      'faults[0].at: with these stores, several servers of filed have no broker between them; leave the fault out, or run it in an experiment of its own',
    ],
    [
      at({ store: 'restart', downFor: '1s' }, { frameworks: ['filed', 'based'], stores: ['files', 'postgres'] }),
      'faults[0].store: files is no program of its own beside the server; write "stores: postgres" alone, or restart the server',
    ],
    [
      at({ store: 'restart', downFor: '1s' }, { frameworks: 'based', stores: 'postgres', store: { url } }),
      'faults[0].store: a database that runs already is not ended; leave "store.url" out, so that each trial has its own',
    ],
    [
      at(
        { broker: 'restart', downFor: '1s' },
        { frameworks: 'based', servers: 2, stores: 'postgres', broker: 'redis://h' },
      ),
      'faults[0].at: a Redis that runs already is not ended; leave "broker" out, so that each trial has its own',
    ],
    [
      at({ server: 'roll', downFor: '20s' }, { servers: 3, durations: { warmUp: '0s', measure: '60s' } }),
      expect.stringMatching(/^faults\[0\].at: it would be over 61s after typing began/),
    ],
    [
      at({ server: 'pause', for: '1s' }, { frameworks: 'attached', servers: elsewhere }),
      'faults: no fault can strike a server that somebody else runs, or what stands behind it; leave that fault out, or restart the server yourself meanwhile',
    ],
  ])('%j', async (input, problem) => {
    expect(await problems(() => resolve(input))).toEqual([problem]);
  });

  test('servers bear one at a time', async () => {
    const faults = [
      { at: '10s', server: 'roll', downFor: '5s' },
      { at: '19s', broker: 'restart', downFor: '1s' },
    ];
    const given = { frameworks: 'based', stores: 'postgres', servers: 2, faults };
    expect(await problems(() => resolve(given))).toEqual([
      'faults[1].at: servers bear one fault at a time, and the one before lasts until 20s; write a later time',
    ]);
  });
});

describe('the plan', () => {
  const given = {
    frameworks: ['plain', 'filed', 'based'],
    modes: 'node',
    trials: 1,
    stores: ['memory', 'files', 'postgres'],
    servers: [1, 2],
  };

  test('leaves out cells whose framework has not the store, and says so', () => {
    const experiment = resolve(given);
    const plan = makePlan(experiment, byName);
    expect(plan.map(({ cell }) => cell)).toEqual([
      ...['plain-node-2', 'plain-node+2-servers-2'],
      ...['filed-node-2', 'filed-node+files-2', 'filed-node+2-servers-2', 'filed-node+files+2-servers-2'],
      ...['based-node-2', 'based-node+postgres-2', 'based-node+2-servers-2', 'based-node+postgres+2-servers-2'],
    ]);
    expect(plan[0]).not.toHaveProperty('store');
    expect(plan[0]).not.toHaveProperty('servers');
    expect(plan.at(-1)).toMatchObject({ store: 'postgres', servers: 2 });
    const lines = formatPlan(experiment, plan, [], { frameworks: byName }).split('\n');
    expect(lines).toContain('stores: memory, files, postgres');
    expect(lines).toContain('servers: 1, 2; users go to them in turns');
    expect(lines.filter((line) => line.startsWith('note'))).toEqual([
      'note: not offered: plain has no store files or postgres, so these cells are left out; it has memory',
      'note: plain has no way for several servers to share a document: each server has one of its own, and users of different servers never meet',
      'note: not offered: filed has no store postgres, so these cells are left out; it has memory, files',
      'note: not offered: based has no store files, so these cells are left out; it has memory, postgres, redis',
      'note: several servers of based share a document by its store postgres alone, so not with memory: each server has one of its own, and users of different servers never meet',
    ]);
  });

  test('says where the database is, and how slow the store is to be', () => {
    const store = { url: 'postgres://me:{env:PASSWORD}@db/postgres', writeDelay: '200ms' };
    const experiment = resolve({
      ...given,
      frameworks: 'based',
      stores: 'postgres',
      servers: 3,
      affinity: 'document',
      store,
    });
    const lines = formatPlan(experiment, makePlan(experiment, byName), []).split('\n');
    expect(lines).toContain(
      'stores: postgres; the database at postgres://me:{env:PASSWORD}@db/postgres; each write waits 200ms',
    );
    expect(lines).toContain('servers: 3; all users go to the first');
  });
});
