/**
 * How each framework is drawn: the same in every chart of a report. Its colour is the one that the run wrote into its
 * environment; a framework without one gets another that people who do not see all colours tell apart (the test simulates
 * it). Point shape and dash say the same once more, for print in grey. Browser-safe.
 */
import { isObject } from '../figures/nested.ts';
import { html, Markup } from '../tables/markup.ts';

/** Around their middle, with an inside each, so that an open one differs from a filled one. The order decides which framework has which. */
const SHAPES = {
  circle: '<circle r="3.4"/>',
  rect: '<path d="M-3-3h6v6h-6z"/>',
  triangle: '<path d="M0-3.8l4 7h-8z"/>',
  rectRot: '<path d="M0-4l4 4-4 4-4-4z"/>',
  triangleDown: '<path d="M0 3.8l4-7h-8z"/>',
  triangleLeft: '<path d="M-3.8 0l7-4v8z"/>',
  triangleRight: '<path d="M3.8 0l-7-4v8z"/>',
};
export type PointShape = keyof typeof SHAPES;
const POINTS = Object.keys(SHAPES) as PointShape[];

/** On a light ground and on a dark one; of a framework, as `#rrggbb`. */
export interface Colour {
  light: string;
  dark: string;
}

export interface FrameworkStyle extends Colour {
  /** Lengths of dash and gap, in pixels; empty for a solid line. */
  dash: readonly number[];
  point: PointShape;
}

/** The colours of what a picture shows beside its data; the style sheet holds the page's own. */
export const INK: Colour = { light: '#3d4450', dark: '#c3c9d4' };
export const FAINT: Colour = { light: '#687080', dark: '#949cab' };
export const GRID: Colour = { light: '#e6e8ec', dark: '#2c313a' };
export const BOUND: Colour = { light: '#a8323e', dark: '#ff8f98' };
export const SURFACE: Colour = { light: '#ffffff', dark: '#1b1f26' };
export const SHADES: Record<'warm-up' | 'fault', Colour> = {
  'warm-up': { light: 'rgb(120 130 150 / 0.10)', dark: 'rgb(160 170 190 / 0.12)' },
  fault: { light: 'rgb(214 120 20 / 0.20)', dark: 'rgb(240 160 70 / 0.24)' },
};

/** By framework. */
export type Colours = Readonly<Record<string, Colour>>;

/** For frameworks without a colour of their own: those of older runs. */
export const OTHER_COLOURS: readonly Colour[] = [
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
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3]];

/**
 * The style of each framework of a report: no two share colour, dash and point. The point follows from the name, so that it is
 * the same in every picture; the dash tells those apart that share a colour and a point.
 *
 * @param colours of those that have their own
 */
export function assignStyles(frameworks: readonly string[], colours: Colours = {}): Map<string, FrameworkStyle> {
  const taken = new Set(frameworks.map((framework) => ownColour(colours, framework)?.light));
  const free = OTHER_COLOURS.filter(({ light }) => !taken.has(light));
  let others = 0;
  const drawn = new Map<string, number>();
  return new Map(
    frameworks.map((framework) => {
      const colour = ownColour(colours, framework) ?? free[others++ % free.length] ?? OTHER_COLOURS[0]!;
      const point = pointOf(framework);
      const like = drawn.get(colour.light + point) ?? 0;
      drawn.set(colour.light + point, like + 1);
      return [framework, { ...colour, dash: DASHES[like % DASHES.length]!, point }];
    }),
  );
}

/** With this start no two frameworks of the project that bring their own servers share a point. */
const HASH_START = 7141;

/** Of a framework in another version, that of the framework. */
function pointOf(framework: string): PointShape {
  const [name = ''] = framework.split(/(?<=.)@/);
  const sum = [...name].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) >>> 0, HASH_START);
  return POINTS[sum % POINTS.length]!;
}

function ownColour(colours: Colours, framework: string): Colour | undefined {
  return Object.hasOwn(colours, framework) ? colours[framework] : undefined;
}

/**
 * How the framework is drawn in one of several runs of a report: the second and later ones have other dashes,
 * in the framework's colour and with its point.
 *
 * @param run from 0
 */
export function styleOfRun(style: FrameworkStyle, run: number): FrameworkStyle {
  return {
    ...style,
    dash: DASHES[(DASHES.indexOf(style.dash) + run) % DASHES.length]!,
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

/** It comes from a file and goes into a page's style. */
function isColour(value: unknown): value is Colour {
  return isObject(value) && [value.light, value.dark].every((hex) => /^#[0-9a-f]{6}$/i.test(String(hex)));
}

/** A line with its point, or a shade, around the middle, in the current colour. @param ground fills a hollow point */
export function sample(sign: FrameworkStyle | Colour, ground: string): Markup {
  if (!('dash' in sign)) return html`<path d="M-13-5h26v10h-26z" fill="currentColor"/>`;
  const { dash, point } = sign;
  const dashes = dash.length === 0 ? null : html` stroke-dasharray="${dash.join(' ')}"`;
  return html`<path d="M-13 0h26" stroke="currentColor" stroke-width="2"${dashes}/>${pointShape(point, dash.length === 0 ? 'currentColor' : ground)}`;
}

/** Around its middle, with an edge in the current colour. */
export function pointShape(point: PointShape, fill: string): Markup {
  return html`<g fill="${fill}" stroke="currentColor" stroke-width="1.6">${new Markup(SHAPES[point])}</g>`;
}

/** Decoration only: words stand beside it. */
export function swatch(sign: FrameworkStyle | Colour): Markup {
  return html`<svg class="swatch" style="color:${cssColour(sign)}" width="26" height="12" viewBox="-13 -6 26 12" aria-hidden="true">${sample(sign, 'var(--surface)')}</svg>`;
}

/** The colour for the scheme that the page is shown in. */
export function cssColour({ light, dark }: Colour): string {
  return `light-dark(${light},${dark})`;
}
