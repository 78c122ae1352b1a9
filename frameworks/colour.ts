/** Colours for frameworks that have none of their own: as far from those of all others as can be, however one sees colours. */
import type { FrameworkAbout } from '../editors/base/framework.ts';

type Colour = FrameworkAbout['colour'];

/** Candidates: this many hues, each in two strengths and from nearly black to nearly white. */
const HUES = 24;
const SATURATIONS = [0.9, 0.5];
const LIGHTNESSES = [0.15, 0.22, 0.29, 0.36, 0.43, 0.5, 0.57, 0.64, 0.71, 0.78, 0.85];
/** Least contrast of a line and its ground. @see WCAG 2.2, 1.4.11 */
const LEAST_CONTRAST = 3;

/** @param taken the colours of the frameworks that there are */
export function spareColour(taken: readonly Colour[]): Colour {
  const colours = Array.from({ length: HUES }, (_, index) => {
    const hue = (360 * index) / HUES;
    const [light, dark] = (['light', 'dark'] as const).map((scheme) => farthest(scheme, hue, taken)) as [Shade, Shade];
    return { light: light.hex, dark: dark.hex, apart: Math.min(light.apart, dark.apart) };
  });
  const { light, dark } = colours.reduce((best, each) => (each.apart > best.apart ? each : best));
  return { light, dark };
}

/**
 * The colours of one run's frameworks. Of several that share one, such as versions of a framework, the first has it, and the
 * others have shades of its hue.
 */
export function coloursApart(frameworks: readonly { name: string; colour: Colour }[]): Map<string, Colour> {
  const given = new Map<string, Colour>();
  const taken = new Map(frameworks.map(({ colour }) => [keyOf(colour), colour]));
  const first = new Set<string>();
  for (const { name, colour } of frameworks) {
    const own = first.has(keyOf(colour)) ? shadeOf(colour, [...taken.values()]) : colour;
    first.add(keyOf(colour));
    taken.set(keyOf(own), own);
    given.set(name, own);
  }
  return given;
}

function shadeOf({ light, dark }: Colour, taken: readonly Colour[]): Colour {
  return { light: farthest('light', hueOf(light), taken).hex, dark: farthest('dark', hueOf(dark), taken).hex };
}

function keyOf({ light, dark }: Colour): string {
  return `${light} ${dark}`;
}

/** Degrees. @see https://www.w3.org/TR/css-color-4/#rgb-to-hsl */
function hueOf(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (range === 0) return 0;
  if (most === red) return (60 * ((green - blue) / range) + 360) % 360;
  return most === green ? 60 * ((blue - red) / range) + 120 : 60 * ((red - green) / range) + 240;
}

interface Shade {
  hex: string;
  /** Distance to the nearest colour that is taken. */
  apart: number;
}

/** The most distant shade of a hue among those that stand out on a ground. */
function farthest(scheme: keyof Colour, hue: number, taken: readonly Colour[]): Shade {
  return SATURATIONS.flatMap((saturation) => LIGHTNESSES.map((lightness) => hexOf(hue, saturation, lightness)))
    .filter((hex) => contrast(hex, GROUNDS[scheme]) >= LEAST_CONTRAST)
    .map((hex) => ({
      hex,
      apart: leastDifference(
        hex,
        taken.map((colour) => colour[scheme]),
      ),
    }))
    .reduce((best, each) => (each.apart > best.apart ? each : best));
}

function leastDifference(hex: string, others: readonly string[]): number {
  return Math.min(...others.flatMap((other) => Object.keys(SIGHTS).map((sight) => differenceSeen(sight, hex, other))));
}

/** @see https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function hexOf(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

type Rgb = [number, number, number];

/** Grounds of the panels, as in analysis/report/html/style/base.css. */
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
