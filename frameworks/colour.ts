/** Colours for frameworks that have none to themselves. */
import type { FrameworkAbout } from '../editors/base/framework.ts';

type Colour = FrameworkAbout['colour'];

/** They stand out on either ground, and look like no framework's and like none before them, however one sees colours: colours.test.ts. */
export const SPARE_COLOURS: readonly Colour[] = [
  { light: '#0b6ed0', dark: '#94c7f9' },
  { light: '#256f37', dark: '#b6fbc8' },
  { light: '#061f6b', dark: '#7294f8' },
  { light: '#8a2e8a', dark: '#c85bc8' },
  { light: '#0b9fd0', dark: '#2e738a' },
  { light: '#1c542a', dark: '#09ae32' },
  { light: '#37a46e', dark: '#40bf80' },
  { light: '#2e8a2e', dark: '#078d07' },
  { light: '#c85b5b', dark: '#f20d0d' },
  { light: '#39131d', dark: '#f994ae' },
];

/** The first that is not taken; once all are, they begin anew. */
export function spareColour(taken: readonly Colour[]): Colour {
  const isTaken = ({ light }: Colour) => taken.some((colour) => colour.light === light);
  return SPARE_COLOURS.find((colour) => !isTaken(colour)) ?? SPARE_COLOURS[taken.length % SPARE_COLOURS.length]!;
}

/** The colours of one run's frameworks. Of several that share one, such as versions of a framework, the first has it. */
export function coloursApart(frameworks: readonly { name: string; colour: Colour }[]): Map<string, Colour> {
  const taken = frameworks.map(({ colour }) => colour);
  const colours = new Map<string, Colour>();
  for (const { name, colour } of frameworks) {
    const isFirst = ![...colours.values()].some(({ light }) => light === colour.light);
    const drawn = isFirst ? colour : spareColour(taken);
    taken.push(drawn);
    colours.set(name, drawn);
  }
  return colours;
}
