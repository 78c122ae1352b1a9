import { expect, test } from 'vitest';
import { contrast, differenceSeen, GROUNDS, SIGHTS } from '../../tests/colours.ts';
import { assignStyles, coloursOf, OTHER_COLOURS, styleOfRun, swatch } from './palette.ts';

test.each(['light', 'dark'] as const)('on a %s ground every line stands out at 3 : 1 (WCAG 1.4.11)', (scheme) => {
  for (const colour of OTHER_COLOURS) {
    expect(contrast(colour[scheme], GROUNDS[scheme]), colour[scheme]).toBeGreaterThanOrEqual(3);
  }
});

test.each(Object.keys(SIGHTS))('no two of the colours look alike: %s', (sight) => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const [index, one] of OTHER_COLOURS.entries()) {
      for (const other of OTHER_COLOURS.slice(index + 1)) {
        const difference = differenceSeen(sight, one[scheme], other[scheme]);
        expect(difference, `${one[scheme]} and ${other[scheme]}`).toBeGreaterThan(10);
      }
    }
  }
});

test('a framework has the colour that its run wrote; the others get one that no framework has', () => {
  const own = OTHER_COLOURS[1]!;
  const styles = assignStyles(['a', 'b', 'constructor'], { b: own });
  expect(styles.get('b')).toMatchObject(own);
  expect(styles.get('a')).toMatchObject(OTHER_COLOURS[0]!);
  expect(styles.get('constructor')).toMatchObject(OTHER_COLOURS[2]!);
});

test('no two frameworks share colour, dash and point, and a second run of one is drawn otherwise', () => {
  const styles = assignStyles(Array.from({ length: 16 }, (_, index) => `framework-${index}`));
  const drawn = [...styles.values()].flatMap((style) => [0, 1, 2].map((run) => JSON.stringify(styleOfRun(style, run))));
  expect(new Set([...styles.values()].map((style) => JSON.stringify(style))).size).toBe(16);
  expect(new Set(drawn.slice(0, 3)).size).toBe(3);
});

test('a framework has one point in every picture, in each of its versions, and every point has an inside', () => {
  const points = (...names: string[]) => [...assignStyles(names).values()].map(({ point }) => point);
  expect(points('yjs')).toEqual(points('sharedb', 'loro', 'yjs').slice(2));
  expect(points('yjs@13.5.53', '@scope/mine')).toEqual(points('yjs', '@scope/mine'));
  const own = ['yjs', 'yjs-stock', 'yjs-hocuspocus', 'sharedb', 'sharedb-stock', 'automerge-repo', 'loro-websocket'];
  expect(new Set(points(...own)).size).toBe(own.length);
  expect(swatch(assignStyles(['yjs']).get('yjs')!).text).not.toContain('fill="none"');
});

test('colours are read from environments; what is none never reaches a page', () => {
  const colour = { light: '#0072b2', dark: '#3F9EE0' };
  expect(coloursOf([{ frameworks: { yjs: { version: '1', colour } } }, {}])).toEqual({ yjs: colour });
  const wrong = [null, 'red', { light: '#fff', dark: '#000' }, { light: '#0072b2"/><script>', dark: '#3f9ee0' }];
  for (const each of wrong) expect(coloursOf([{ frameworks: { yjs: { colour: each } } }])).toEqual({});
});
