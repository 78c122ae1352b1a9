/** Colours for frameworks that have none of their own: as far from those of all others as can be, however one sees colours. */

import type { FrameworkAbout } from '../editors/base/framework.ts';
import { contrast, differenceSeen, GROUNDS, SIGHTS } from './colour-vision.ts';

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
