/** The colours that frameworks are drawn in: see `colour` of their `about`. */
import { expect, test } from 'vitest';
import { contrast, differenceSeen, GROUNDS, SIGHTS } from './colour.ts';
import { discoverFrameworks } from './discover.ts';

const frameworks = await discoverFrameworks();

test.each(['light', 'dark'] as const)('on a %s ground every line stands out at 3 : 1 (WCAG 1.4.11)', (scheme) => {
  for (const { name, about } of frameworks) {
    expect(contrast(about.colour[scheme], GROUNDS[scheme]), `${name}, ${scheme}`).toBeGreaterThanOrEqual(3);
  }
});

test.each(Object.keys(SIGHTS))('no two frameworks look alike: %s', (sight) => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const [index, one] of frameworks.entries()) {
      for (const other of frameworks.slice(index + 1)) {
        const difference = differenceSeen(sight, one.about.colour[scheme], other.about.colour[scheme]);
        expect(difference, `${one.name} and ${other.name}, ${scheme}`).toBeGreaterThan(10);
      }
    }
  }
});
