import { expect, test } from 'vitest';
import { assignStyles, coloursOf, OTHER_COLOURS, styleOfRun } from './palette.ts';

type Rgb = [number, number, number];

/** Grounds of the panels, as in page/style/base.css. */
const GROUNDS = { light: '#ffffff', dark: '#1b1f26' } as const;

/** How people without one kind of cone see linear RGB. @see Machado, Oliveira & Fernandes 2009, table of severity 1.0 */
const SIGHTS: Record<string, [Rgb, Rgb, Rgb]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

function linearRgb(hex: string): Rgb {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
}

/** @see WCAG 2.2, relative luminance and contrast ratio */
function contrast(a: string, b: string): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = linearRgb(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** CIE L*a*b* with the white of sRGB. */
function lab(rgb: Rgb): Rgb {
  const [red, green, blue] = rgb.map((value) => Math.max(0, value)) as Rgb;
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
  const y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function seenBy(sight: keyof typeof SIGHTS, hex: string): Rgb {
  const rgb = linearRgb(hex);
  return lab(SIGHTS[sight]!.map((row) => row.reduce((sum, weight, index) => sum + weight * rgb[index]!, 0)) as Rgb);
}

test.each(['light', 'dark'] as const)('on a %s ground every line stands out at 3 : 1 (WCAG 1.4.11)', (scheme) => {
  for (const colour of OTHER_COLOURS) {
    expect(contrast(colour[scheme], GROUNDS[scheme]), colour[scheme]).toBeGreaterThanOrEqual(3);
  }
});

test.each(Object.keys(SIGHTS))('no two of the colours look alike: %s', (sight) => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const [index, one] of OTHER_COLOURS.entries()) {
      for (const other of OTHER_COLOURS.slice(index + 1)) {
        const [a, b] = [one, other].map((colour) => seenBy(sight, colour[scheme])) as [Rgb, Rgb];
        const difference = Math.hypot(...a.map((value, axis) => value - b[axis]!));
        // About 2 is just noticeable side by side; lines lie apart.
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

test('colours are read from environments; what is none never reaches a page', () => {
  const colour = { light: '#0072b2', dark: '#3F9EE0' };
  expect(coloursOf([{ frameworks: { yjs: { version: '1', colour } } }, {}])).toEqual({ yjs: colour });
  const wrong = [null, 'red', { light: '#fff', dark: '#000' }, { light: '#0072b2"/><script>', dark: '#3f9ee0' }];
  for (const each of wrong) expect(coloursOf([{ frameworks: { yjs: { colour: each } } }])).toEqual({});
});
