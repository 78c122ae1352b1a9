/** How colours look: their contrast to a ground, and their distance, with and without one kind of cone. */
type Rgb = [number, number, number];

/** Grounds of the panels, as the pages' style has them. */
export const GROUNDS = { light: '#ffffff', dark: '#1b1f26' } as const;

/** How people without one kind of cone see linear RGB. @see Machado, Oliveira & Fernandes 2009, table of severity 1.0 */
export const SIGHTS: Record<string, [Rgb, Rgb, Rgb]> = {
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
export function contrast(a: string, b: string): number {
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

/** How far apart two colours look to one who sees so. About 2 is just noticeable side by side; lines lie apart. */
export function differenceSeen(sight: string, one: string, other: string): number {
  const [a, b] = [one, other].map((hex) => seenBy(sight, hex)) as [Rgb, Rgb];
  return Math.hypot(...a.map((value, axis) => value - b[axis]!));
}

function seenBy(sight: string, hex: string): Rgb {
  const rgb = linearRgb(hex);
  return lab(SIGHTS[sight]!.map((row) => row.reduce((sum, weight, index) => sum + weight * rgb[index]!, 0)) as Rgb);
}
