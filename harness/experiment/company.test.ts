import { expect, test } from 'vitest';
import { cellMode, modeWithout } from '../../results/formats/run-directory.ts';
import { agentsIn, companiesOf, companyLines, countCompany, isCrowdRecorded } from './company.ts';

const alone = { stores: ['memory' as const], store: { writeDelayMs: [0] }, servers: { counts: [1] } };
const nobody = { presence: false, agents: ['none'], readers: [0], ...alone };

test('each combination is a cell of its own, whose mode says it, and nobody beside is nothing', () => {
  expect(companiesOf(nobody)).toEqual([{}]);
  const companies = companiesOf({ presence: 'both', agents: ['none', '3-stream'], readers: [0, 100], ...alone });
  expect(companies.map((company) => cellMode({ mode: 'node', ...company }))).toEqual([
    ...['node', 'node+presence', 'node+3-stream', 'node+presence+3-stream'],
    ...['node+100-readers', 'node+presence+100-readers'],
    ...['node+3-stream+100-readers', 'node+presence+3-stream+100-readers'],
  ]);
  expect(modeWithout('node+presence+100-readers', 'readers')).toBe('node+presence');
});

test('each store and each count of servers is a cell of its own; one server in memory is nothing', () => {
  const behind = companiesOf({
    ...nobody,
    presence: 'both',
    stores: ['memory', 'sqlite'],
    servers: { counts: [1, 3] },
  });
  expect(behind.map((company) => cellMode({ mode: 'node', ...company }))).toEqual([
    ...['node', 'node+presence', 'node+sqlite', 'node+presence+sqlite'],
    ...['node+3-servers', 'node+presence+3-servers', 'node+sqlite+3-servers', 'node+presence+sqlite+3-servers'],
  ]);
});

test('each delay of writes is a cell of each store, and none of memory', () => {
  const slowed = companiesOf({ ...nobody, stores: ['memory', 'sqlite'], store: { writeDelayMs: [0, 20, 20, 15_000] } });
  expect(slowed.map((company) => cellMode({ mode: 'node', ...company }))).toEqual([
    'node',
    'node+sqlite',
    'node+sqlite+20ms-writes',
    'node+sqlite+15000ms-writes',
  ]);
  expect(modeWithout('node+sqlite+20ms-writes+3-servers', 'writes')).toBe('node+sqlite+3-servers');
});

test('two readers have a client, and the others are sockets', () => {
  expect(countCompany({})).toEqual({ agents: 0, clientReaders: 0, socketReaders: 0 });
  expect(countCompany({ readers: 1 })).toEqual({ agents: 0, clientReaders: 1, socketReaders: 0 });
  expect(countCompany({ agents: '3-rewrite', readers: 300 })).toEqual({
    agents: 3,
    clientReaders: 2,
    socketReaders: 298,
  });
  expect([agentsIn({}), agentsIn({ agents: 'stream' })]).toEqual([null, { count: 1, kind: 'stream' }]);
});

test('cursors, agents, documents that were there and servers of others take a live crowd, in all cells that are compared, and the plan tells of company', () => {
  const isRecorded = (given: object, kind: 'recorded' | 'live' = 'recorded') => {
    const about = { crowd: { kind, why: 'So.' } } as const;
    const none = { ...nobody, store: { reuse: false }, servers: { attached: [] } };
    return isCrowdRecorded({ name: 'one', about }, { ...none, ...given } as never);
  };
  expect([isRecorded({}), isRecorded({}, 'live')]).toEqual([true, false]);
  expect(isRecorded({ presence: 'both' })).toBe(false);
  expect(isRecorded({ agents: ['none', 'stream'] })).toBe(false);
  expect(isRecorded({ store: { reuse: true } })).toBe(false);
  const attached = (framework: string) => ({ servers: { attached: [{ framework }] } });
  expect([isRecorded(attached('another')), isRecorded(attached('one'))]).toEqual([true, false]);
  expect(companyLines(nobody)).toEqual([]);
  expect(companyLines({ agents: ['none', 'stream'], readers: [0, 100] })).toEqual([
    'agents: none, stream; in Node, at the server',
    'readers: 0, 100; 2 of them with a client in Node, the others sockets',
  ]);
});
