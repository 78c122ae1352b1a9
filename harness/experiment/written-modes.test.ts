import { expect, test } from 'vitest';
import { nameModes } from './written-modes.ts';

test('a mode under its earlier name is read by the present one, and said once', () => {
  const said: string[] = [];
  const overrides = [{ flag: '--modes', path: ['modes'], value: ['headless'] }];
  const input = { modes: ['noquill', 'headless'], batching: { sendModes: 'headless', send: '1s' }, name: 'headless' };
  expect(nameModes({ input, overrides }, (text) => said.push(text))).toEqual({
    input: { modes: ['noquill', 'node'], batching: { sendModes: 'node', send: '1s' }, name: 'headless' },
    overrides: [{ ...overrides[0], value: ['node'] }],
  });
  expect(said).toEqual(['the mode headless is called node since 23 November 2026; write node']);
});

test('what is no block of properties is left for the validation', () => {
  for (const input of [null, 'text', [], { modes: null, batching: [] }]) {
    expect(nameModes({ input, overrides: [] }, () => {}).input).toEqual(input);
  }
});
