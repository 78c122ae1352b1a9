/**
 * How each framework is drawn: the same in every chart of every report. Hues are told apart by people who do not see
 * all colours (the test simulates it); frameworks of one family share a hue and differ in lightness; dash and point
 * shape say the same once more, for print in grey.
 */

export type PointShape = 'circle' | 'rect' | 'rectRot' | 'triangle' | 'star' | 'crossRot';

export interface FrameworkStyle {
  /** On a light ground and on a dark one. */
  light: string;
  dark: string;
  /** As canvas takes it: lengths of dash and gap, in pixels; empty for a solid line. */
  dash: readonly number[];
  point: PointShape;
}

const SOLID: readonly number[] = [];
const DASHED = [6, 3];
const DOTTED = [2, 3];

const KNOWN: Record<string, FrameworkStyle> = {
  yjs: { light: '#0072b2', dark: '#3f9ee0', dash: SOLID, point: 'circle' },
  'yjs-hocuspocus': { light: '#003e6b', dark: '#b9dcf7', dash: DASHED, point: 'rectRot' },
  sharedb: { light: '#bd8200', dark: '#f0c23c', dash: SOLID, point: 'rect' },
  automerge: { light: '#c23b06', dark: '#f0763c', dash: SOLID, point: 'triangle' },
  'automerge-repo': { light: '#7c2a00', dark: '#ffc3a1', dash: DASHED, point: 'rect' },
  collabs: { light: '#00916a', dark: '#17b58a', dash: SOLID, point: 'rectRot' },
  'collabs-novc': { light: '#00523b', dark: '#93e6cb', dash: DASHED, point: 'triangle' },
  loro: { light: '#b0408f', dark: '#dd8cc4', dash: SOLID, point: 'circle' },
  gdocs: { light: '#2b2f36', dark: '#eceff3', dash: DOTTED, point: 'rect' },
  loopback: { light: '#838b98', dark: '#808896', dash: DOTTED, point: 'circle' },
};

/** For frameworks that the project does not know: the name chooses, so that it is drawn alike everywhere. */
const OTHER_COLOURS = [
  { light: '#7a5c00', dark: '#c9ab4e' },
  { light: '#5b4fc4', dark: '#a79dff' },
  { light: '#00788a', dark: '#4cc3d6' },
  { light: '#a3324a', dark: '#f0879b' },
  { light: '#4d6b1f', dark: '#a3c76b' },
] as const;
const OTHER_DASHES = [SOLID, DASHED, DOTTED];
const OTHER_POINTS: readonly PointShape[] = ['star', 'crossRot', 'triangle', 'rectRot', 'circle', 'rect'];

/** The frameworks with a style of their own. */
export const KNOWN_FRAMEWORKS: readonly string[] = Object.keys(KNOWN);

/**
 * @param run which of several runs of the framework in one report, from 0: the second and later ones are drawn with
 *            other dashes and points, in the framework's colour
 */
export function frameworkStyle(framework: string, run = 0): FrameworkStyle {
  const style = Object.hasOwn(KNOWN, framework) ? KNOWN[framework]! : styleOfName(framework);
  if (run === 0) return style;
  return {
    ...style,
    dash: OTHER_DASHES[(OTHER_DASHES.indexOf(style.dash) + run) % OTHER_DASHES.length]!,
    point: OTHER_POINTS[(OTHER_POINTS.indexOf(style.point) + run) % OTHER_POINTS.length]!,
  };
}

function styleOfName(name: string): FrameworkStyle {
  const hash = hashOf(name);
  return {
    ...OTHER_COLOURS[hash % OTHER_COLOURS.length]!,
    dash: OTHER_DASHES[Math.floor(hash / 5) % OTHER_DASHES.length]!,
    point: OTHER_POINTS[Math.floor(hash / 15) % OTHER_POINTS.length]!,
  };
}

/** FNV-1a, 32 bits. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}
