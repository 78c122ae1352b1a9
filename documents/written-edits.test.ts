import { expect, test } from 'vitest';
import { editsOf } from './replay/edits.ts';
import { shareOf } from './written-edits.ts';

const TRACE = {
  kind: 'sequential' as const,
  startContent: '',
  endContent: 'abcd',
  txns: [...'abcd'].map((letter, index) => ({ patches: [[index, 0, letter] as [number, number, string]] })),
};

test('a trace that is too short is written several times over', () => {
  expect(shareOf(TRACE, 3)).toEqual({ atMost: 3, repeat: 1 });
  const share = shareOf(TRACE, 9);
  expect(share).toEqual({ atMost: 3, repeat: 3 });
  expect(editsOf(TRACE, share).endContent).toBe('abcabcabc');
});

test('a trace that cannot be written into an editor is refused', () => {
  const returns = { ...TRACE, endContent: 'a\r', txns: [{ patches: [[0, 0, 'a\r'] as [number, number, string]] }] };
  expect(() => shareOf(returns, 1)).toThrow('"\\r"');
  const gone = {
    ...TRACE,
    endContent: '',
    txns: [...TRACE.txns, { patches: [[0, 4, ''] as [number, number, string]] }],
  };
  expect(() => shareOf(gone, 5)).toThrow('text is empty');
  const concurrent = { kind: 'concurrent' as const, endContent: '', numAgents: 1, txns: [] };
  expect(() => shareOf(concurrent, 5)).toThrow('several authors');
});
