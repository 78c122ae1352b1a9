import { expect, test } from 'vitest';
import { documentSourceOf, OWN_SERVER } from './trial-options.ts';

const planned = { cell: 'c', framework: 'f', mode: 'optquill', users: 2, trial: 1, seed: 1, directory: '' };
const hosted = {
  driver: 'none',
  linkForm: 'doc:<name>',
  isLink: () => true,
  joinPeriodMs: 10,
  readingLimitMs: 20,
  mostUsers: 9,
};

test('a document is at a server that the trial starts, or where its link says', () => {
  expect(documentSourceOf(planned, {}, null)).toBe(OWN_SERVER);
  const source = documentSourceOf({ ...planned, document: 'doc:1' }, { hosted }, null);
  expect(source).toEqual({ address: 'doc:1', joinPeriodMs: 10, readingLimitMs: 20 });
  expect(() => documentSourceOf(planned, { hosted }, null)).toThrow('the trial of c was given no document');
});
