import { describe, expect, test } from 'vitest';
import { cellOf } from '../test-data/written-cell.ts';
import { holdsCondition, parseCondition } from './condition.ts';

const cell = cellOf({
  throughputPercent: 97.5,
  endToEndLatencyMs: { p50: 80, p95: 500 },
  serverCpuPercent: null,
});
const holds = (text: string) => holdsCondition(parseCondition(text), cell);

test.each([
  ['endToEndLatencyMs.p95 < 500', false],
  ['endToEndLatencyMs.p95 <= 500', true],
  ['endToEndLatencyMs.p95<500.5', true],
  ['throughputPercent > 97.5', false],
  ['  throughputPercent >= 97.5 ', true],
  ['serverCpuPercent < 50', null],
])('%j: %s', (text, expected) => {
  expect(holds(text)).toBe(expected);
});

describe('refused, with what is valid', () => {
  test.each([
    [
      'endToEndLatencyMs.p96 < 500',
      /no figure endToEndLatencyMs\.p96 \(did you mean "endToEndLatencyMs\.p95"\?\); there are\n.*endToEndLatencyMs\.p95 \(ms\)/s,
    ],
    ['localLatencyMs < 500', /no figure localLatencyMs; there are/],
    ['throughputPercent = 98', /"=" is none of <, <=, >, >=/],
    ['throughputPercent => 98', /"=>" is none of/],
    ['throughputPercent >= 98%', /"98%" is no number; throughputPercent is in %/],
    ['endToEndLatencyMs.p95 < 500ms', /"500ms" is no number; .* is in ms, without its unit/],
    ['endToEndLatencyMs.p95 < fast', /"fast" is no number/],
    ['endToEndLatencyMs.p95', /not of the form FIGURE OPERATOR NUMBER/],
    ['', /not of the form/],
    ['a < 1 < 2', /not of the form|no figure/],
  ])('%j', (text, message) => {
    expect(() => parseCondition(text)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringMatching(message) }),
    );
  });

  test('every refusal ends with an example', () => {
    for (const text of ['', 'x < 1', 'throughputPercent ~ 1', 'throughputPercent < x'])
      expect(() => parseCondition(text)).toThrow(/rite, for example, "endToEndLatencyMs\.p95 < 500"$/);
  });
});
