/** The rules for experiments with a framework that another hosts. */
import { describe, expect, test } from 'vitest';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { resolveExperiment } from './experiment-file.ts';

const frameworks = await discoverFrameworks();
const link = (name: string) => `https://docs.google.com/document/d/${name}/edit`;

function resolve(input: object) {
  return resolveExperiment({ frameworks: 'gdocs', ...input }, { frameworks });
}

describe('an experiment with gdocs', () => {
  test('takes links, one or several, and other frameworks beside it', () => {
    expect(resolve({ documents: link('a') }).documents).toEqual([link('a')]);
    expect(resolve({ frameworks: ['yjs', 'gdocs'], documents: [link('a'), link('b')] }).documents).toHaveLength(2);
    expect(resolve({ users: 100 }).documents).toEqual([]);
  });

  test.each([
    [{ modes: 'noquill' }, 'modes[0]: "gdocs" does not support "noquill"; it supports: optquill'],
    [
      { documents: 'https://docs.google.com/spreadsheets/d/a/edit' },
      'is no link; write https://docs.google.com/document/d/',
    ],
    [{ documents: [link('a'), link('a')] }, 'documents[1]: this document is written twice here'],
    [{ users: [2, 101] }, 'users[1]: 101 users cannot edit one document of "gdocs"; write 100 at most'],
    [{ fleet: { on: 'compose' } }, 'fleet.on: "gdocs" has no server to start on compose; write local'],
    [{ network: { oneWayDelay: '30ms' } }, 'network: the server of "gdocs" is hosted elsewhere'],
    [{ base: 'v1' }, 'base: "gdocs" is hosted elsewhere, so base and new would be the same; leave it out'],
    [{ frameworks: 'yjs', documents: link('a') }, 'documents: none of the frameworks takes a link to a document'],
  ])('%j is refused: %s', (input, sentence) => {
    expect(() => resolve(input)).toThrow(sentence);
  });
});
