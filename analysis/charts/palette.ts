/**
 * How each framework is drawn: the same in every chart of a report. Its colour is the one that the run wrote into its
 * environment; a framework without one gets another that people who do not see all colours tell apart (the test simulates
 * it). Point shape and dash say the same once more, for print in grey. Browser-safe.
 */
import { Markup } from '../tables/markup.ts';

type PointShape = 'circle' | 'rect' | 'rectRot' | 'triangle' | 'star' | 'crossRot';

/** On a light ground and on a dark one, as `#rrggbb`. */
interface FrameworkColour {
  light: string;
  dark: string;
}

export interface FrameworkStyle extends FrameworkColour {
  /** As canvas takes it: lengths of dash and gap, in pixels; empty for a solid line. */
  dash: readonly number[];
  point: PointShape;
}

/** By framework. */
export type Colours = Readonly<Record<string, FrameworkColour>>;

/** For frameworks without a colour of their own: those of older runs. */
export const OTHER_COLOURS: readonly FrameworkColour[] = [
  { light: '#0072b2', dark: '#3f9ee0' },
  { light: '#bd8200', dark: '#f0c23c' },
  { light: '#c23b06', dark: '#f0763c' },
  { light: '#00916a', dark: '#17b58a' },
  { light: '#b0408f', dark: '#dd8cc4' },
  { light: '#003e6b', dark: '#b9dcf7' },
  { light: '#7c2a00', dark: '#ffc3a1' },
  { light: '#00523b', dark: '#93e6cb' },
  { light: '#2b2f36', dark: '#eceff3' },
  { light: '#838b98', dark: '#808896' },
];
const POINTS: readonly PointShape[] = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'crossRot'];
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3]];

/**
 * The style of each framework of a report, by its place among them: no two share colour, dash and point.
 *
 * @param colours of those that have their own
 */
export function assignStyles(frameworks: readonly string[], colours: Colours = {}): Map<string, FrameworkStyle> {
  const taken = new Set(frameworks.map((framework) => ownColour(colours, framework)?.light));
  const free = OTHER_COLOURS.filter(({ light }) => !taken.has(light));
  let others = 0;
  return new Map(
    frameworks.map((framework, index) => [
      framework,
      {
        ...(ownColour(colours, framework) ?? free[others++ % free.length] ?? OTHER_COLOURS[0]!),
        dash: DASHES[Math.floor(index / POINTS.length) % DASHES.length]!,
        point: POINTS[index % POINTS.length]!,
      },
    ]),
  );
}

function ownColour(colours: Colours, framework: string): FrameworkColour | undefined {
  return Object.hasOwn(colours, framework) ? colours[framework] : undefined;
}

/**
 * How the framework is drawn in one of several runs of a report: the second and later ones have other dashes and points,
 * in the framework's colour.
 *
 * @param run from 0
 */
export function styleOfRun(style: FrameworkStyle, run: number): FrameworkStyle {
  return {
    ...style,
    dash: DASHES[(DASHES.indexOf(style.dash) + run) % DASHES.length]!,
    point: POINTS[(POINTS.indexOf(style.point) + run) % POINTS.length]!,
  };
}

/** The colours that runs wrote, `frameworks.<name>.colour` of their environments; what is no colour is left out. */
export function coloursOf(environments: readonly Record<string, unknown>[]): Colours {
  return Object.fromEntries(
    environments.flatMap(({ frameworks }) =>
      Object.entries(isObject(frameworks) ? frameworks : {}).flatMap(([name, told]) => {
        const colour = isObject(told) ? told.colour : undefined;
        return isColour(colour) ? [[name, { light: colour.light, dark: colour.dark }]] : [];
      }),
    ),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** It comes from a file and goes into a page's style. */
function isColour(value: unknown): value is FrameworkColour {
  return isObject(value) && [value.light, value.dark].every((hex) => /^#[0-9a-f]{6}$/i.test(String(hex)));
}

const SHAPES: Record<PointShape, string> = {
  circle: '<circle cx="13" cy="6" r="3.4"/>',
  rect: '<rect x="10" y="3" width="6" height="6"/>',
  rectRot: '<path d="M13 2l4 4-4 4-4-4z"/>',
  triangle: '<path d="M13 2.2l4 7H9z"/>',
  star: '<path d="M13 2v8M9.5 4l7 4M9.5 8l7-4" fill="none"/>',
  crossRot: '<path d="M10 3l6 6M16 3l-6 6" fill="none"/>',
};

/** Decoration only: the framework's name stands beside it. */
export function swatch(style: FrameworkStyle): Markup {
  const dash = style.dash.length === 0 ? '' : ` stroke-dasharray="${style.dash.join(' ')}"`;
  const fill = style.dash.length === 0 ? 'currentColor' : 'var(--surface)';
  return new Markup(
    `<svg class="swatch" style="color:${cssColour(style)}" width="26" height="12" viewBox="0 0 26 12" aria-hidden="true">` +
      `<path d="M0 6h26" stroke="currentColor" stroke-width="2"${dash}/>` +
      `<g fill="${fill}" stroke="currentColor" stroke-width="1.6">${SHAPES[style.point]}</g></svg>`,
  );
}

/** The colour for the scheme that the page is shown in. */
function cssColour({ light, dark }: FrameworkStyle): string {
  return `light-dark(${light},${dark})`;
}
