import { expect, test } from 'vitest';
import { cellOf } from '../test-data/written-cell.ts';
import type { Column, Row } from './page-data.ts';
import { wordsOf } from './strip.ts';

const COLUMN: Column = {
  ...{ name: 'seenInTimePercent', label: 'seen in time', unit: '%', what: '', bound: null },
  ...{ scale: 'linear', better: 'higher' },
};

test('a missing interval is put down to too few trials only where they are', () => {
  const words = (validTrials: number) => {
    const cell = cellOf({ validTrials, seenInTimePercent: 97.1, ci95: {} });
    return wordsOf({ ...cell, texts: {}, replicates: {} } as unknown as Row, COLUMN);
  };
  expect(words(2)).toBe('97.1 %; no interval: too few trials');
  expect(words(3)).toBe('97.1 %; no interval');
});
