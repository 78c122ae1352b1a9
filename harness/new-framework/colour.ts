/** A colour for a framework that has none yet: as far from those of all others as can be, however one sees colours. */
import { contrast, differenceSeen, GROUNDS, SIGHTS } from '../../analysis/charts/colour-vision.ts';
import type { FrameworkAbout } from '../../editors/base/framework.ts';

type Colour = FrameworkAbout['colour'];

/** What is tried: so many hues, each in two strengths and from nearly black to nearly white. */
const HUES = 24;
const SATURATIONS = [0.9, 0.5];
const LIGHTNESSES = [0.15, 0.22, 0.29, 0.36, 0.43, 0.5, 0.57, 0.64, 0.71, 0.78, 0.85];
/** Of a line and its ground. @see WCAG 2.2, 1.4.11 */
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

interface Shade {
  hex: string;
  /** How far it looks from the nearest that is taken. */
  apart: number;
}

/** Of the shades of a hue that stand out on a ground. */
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
