/** The colours that frameworks are drawn in: see `colour` of their `about`; and those of frameworks that have none to themselves. */
import { expect, test } from 'vitest';
import { contrast, differenceSeen, GROUNDS, SIGHTS } from '../tests/colours.ts';
import { SPARE_COLOURS, spareColour } from './colour.ts';
import { discoverFrameworks } from './discover.ts';

const colours = [
  ...(await discoverFrameworks()).map(({ name, about }) => ({ name, ...about.colour })),
  ...SPARE_COLOURS.map((colour, index) => ({ name: `spare ${index}`, ...colour })),
];

test.each(['light', 'dark'] as const)('on a %s ground every line stands out at 3 : 1 (WCAG 1.4.11)', (scheme) => {
  for (const { name, [scheme]: colour } of colours) {
    expect(contrast(colour, GROUNDS[scheme]), `${name}, ${scheme}`).toBeGreaterThanOrEqual(3);
  }
});

test.each(Object.keys(SIGHTS))('no two frameworks look alike: %s', (sight) => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const [index, one] of colours.entries()) {
      for (const other of colours.slice(index + 1)) {
        const difference = differenceSeen(sight, one[scheme], other[scheme]);
        expect(difference, `${one.name} and ${other.name}, ${scheme}`).toBeGreaterThan(10);
      }
    }
  }
});

test('a new framework gets the first spare colour that no other has', () => {
  expect(spareColour([])).toBe(SPARE_COLOURS[0]);
  expect(spareColour([SPARE_COLOURS[0]!])).toBe(SPARE_COLOURS[1]);
  expect(SPARE_COLOURS).toContain(spareColour(SPARE_COLOURS));
});
