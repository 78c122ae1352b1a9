/** The themes of canvases, the one that is wanted now, and the making of elements. */
import type { Theme } from '../forms/form.ts';
import type { FrameworkStyle } from '../palette.ts';

const LIGHT: Theme = {
  isDark: false,
  ink: '#3d4450',
  faint: '#687080',
  grid: '#e6e8ec',
  bound: '#a8323e',
  shade: 'rgb(120 130 150 / 0.10)',
  fault: 'rgb(214 120 20 / 0.20)',
  surface: '#ffffff',
  pixelRatio: undefined,
};
const DARK: Theme = {
  isDark: true,
  ink: '#c3c9d4',
  faint: '#949cab',
  grid: '#2c313a',
  bound: '#ff8f98',
  shade: 'rgb(160 170 190 / 0.12)',
  fault: 'rgb(240 160 70 / 0.24)',
  surface: '#1b1f26',
  pixelRatio: undefined,
};

/** Printers and papers are finer than screens. */
const PAPER: Theme = { ...LIGHT, pixelRatio: 3 };

const darkness = matchMedia('(prefers-color-scheme: dark)');
let isPaper = false;

/** The theme that the reader's system asks for; on paper, light. */
export function currentTheme(): Theme {
  if (isPaper) return PAPER;
  return darkness.matches ? DARK : LIGHT;
}

export function onThemeChange(redraw: () => void): void {
  darkness.addEventListener('change', redraw);
}

/** Light, whatever the system asks for, narrow and fine: for paper and for images. */
export function usePaper(paper: boolean): void {
  isPaper = paper;
  document.documentElement.classList.toggle('paper', paper);
}

export function colourOf(style: FrameworkStyle, theme: Theme): string {
  return theme.isDark ? style.dark : style.light;
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
