/** Colours of canvases, which no style sheet reaches, and the making of elements. */
import type { Colour } from '../palette.ts';

const darkness = matchMedia('(prefers-color-scheme: dark)');
let isPaper = false;

/** As the reader's system asks for it; on paper, light. */
export function colourNow({ light, dark }: Colour): string {
  return darkness.matches && !isPaper ? dark : light;
}

/** Pixels of a canvas for one of the page: printers and papers are finer than screens; undefined for as many as the screen has. */
export function pixelRatio(): number | undefined {
  return isPaper ? 3 : undefined;
}

export function onThemeChange(redraw: () => void): void {
  darkness.addEventListener('change', redraw);
}

/** Light, whatever the system asks for, narrow and fine: for paper and for images. */
export function usePaper(paper: boolean): void {
  isPaper = paper;
  document.documentElement.classList.toggle('paper', paper);
}

/** Makes an element with attributes and children; text is text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
