import { expect, test } from 'vitest';
import { describeSpeed, warnOfSpeeds } from './machine-speed.ts';

const cell = (oneCore: number | null, allCores: number | null = oneCore) => ({
  figures: { 'machineSpeed.oneCore': oneCore, 'machineSpeed.allCores': allCores },
});

test.each([
  ['300 turns/µs on one core, 560 on all', [cell(300, 560)]],
  // Within a tenth it is one machine, whose speed is in the middle.
  ['305 turns/µs on one core, 560 on all', [cell(300, 560), cell(310, 560)]],
  ['250 to 300 turns/µs on one core, 560 on all', [cell(300, 560), cell(250, 560), cell(null)]],
  ['speed not measured', [cell(null), { figures: {} }]],
  ['speed not measured', []],
])('%s', (text, cells) => {
  expect(describeSpeed(cells)).toBe(text);
});

test('within one group, too, a machine may have changed', () => {
  expect(warnOfSpeeds([{ name: 'trials', cells: [cell(300), cell(400)] }])).toEqual([
    expect.stringMatching(/^this machine’s speed varied by 33 %.*trials: 300 to 400 turns/),
  ]);
  expect(warnOfSpeeds([{ name: 'trials', cells: [cell(300), cell(310)] }])).toEqual([]);
  // Alone it is compared with nothing.
  expect(warnOfSpeeds([{ name: 'trials', cells: [cell(null)] }])).toEqual([]);
});

test('several groups whose speeds are not known are named', () => {
  const unknown = { name: 'old', cells: [cell(null)] };
  expect(warnOfSpeeds([unknown, { name: 'new', cells: [cell(300)] }])).toEqual([
    'the machine’s speed was not measured, so figures may differ by the machine: old',
  ]);
  expect(warnOfSpeeds([unknown, unknown], { isOneMachine: true })).toEqual([]);
});

test('among several groups one reading that was disturbed makes no other machine', () => {
  const [disturbed, quiet] = [[cell(425), cell(335), cell(430)], [cell(420)]];
  const groups = [disturbed, quiet].map((cells, index) => ({ name: `block ${index}`, cells }));
  expect(warnOfSpeeds(groups)).toEqual([]);
});

test('a difference just above the limit is told as one', () => {
  expect(warnOfSpeeds([{ name: 'trials', cells: [cell(300), cell(331.2)] }])).toEqual([
    expect.stringMatching(/varied by 10\.4 %, more than 10 %/),
  ]);
});
