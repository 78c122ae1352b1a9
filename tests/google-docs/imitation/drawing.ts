/**
 * Draws the imitation's document as Docs annotates it: pages one below the other in what scrolls, of which only those
 * near the visible part have a tile; in the tile an SVG with a group for each paragraph and a rectangle, labelled with its
 * text, for each stretch of one line in one font.
 */
import { ANNOTATION_SWITCH } from '../../../editors/gdocs/parts.ts';
import type { Character, Paragraph } from './document.ts';

const LINE_CHARACTERS = 60;
const LINE_HEIGHT = 20;
const CHARACTER_WIDTH = 8;
const PAGE_LINES = 20;
const PAGE_GAP = 12;
const PAGE_HEIGHT = PAGE_LINES * LINE_HEIGHT;
/** Tiles are drawn for pages at most so far from what is visible. */
const NEAR = 50;
const SVG = 'http://www.w3.org/2000/svg';

interface Line {
  paragraph: number;
  block: string;
  characters: Character[];
}

/** Brings the pages in `place`, inside `scroller`, up to date. */
export function drawPages(scroller: Element, place: Element, paragraphs: readonly Paragraph[]): void {
  const lines = paragraphs.flatMap(wrap);
  const pages = Array.from({ length: Math.ceil(lines.length / PAGE_LINES) }, (_, page) =>
    lines.slice(page * PAGE_LINES, (page + 1) * PAGE_LINES),
  );
  while (place.children.length < pages.length) place.append(makePage());
  while (place.children.length > pages.length) place.lastElementChild!.remove();
  for (const [index, content] of pages.entries()) {
    const page = place.children[index] as HTMLElement;
    const top = index * (PAGE_HEIGHT + PAGE_GAP);
    const isNear =
      top < scroller.scrollTop + scroller.clientHeight + NEAR && top + PAGE_HEIGHT > scroller.scrollTop - NEAR;
    if (!isNear) page.replaceChildren();
    else drawTile(page, content);
  }
}

function wrap({ characters, block }: Paragraph, paragraph: number): Line[] {
  const count = Math.max(1, Math.ceil(characters.length / LINE_CHARACTERS));
  return Array.from({ length: count }, (_, line) => ({
    paragraph,
    block,
    characters: characters.slice(line * LINE_CHARACTERS, (line + 1) * LINE_CHARACTERS),
  }));
}

function makePage(): HTMLElement {
  const page = document.createElement('div');
  page.className = 'kix-page-paginated';
  page.style.cssText = `height: ${PAGE_HEIGHT}px; margin-bottom: ${PAGE_GAP}px; background: white;`;
  return page;
}

/** As Docs does with what it draws anew, all of it is replaced. */
function drawTile(page: HTMLElement, lines: readonly Line[]): void {
  const isAnnotated = Boolean(Reflect.get(globalThis, ANNOTATION_SWITCH));
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('width', String(LINE_CHARACTERS * CHARACTER_WIDTH));
  svg.setAttribute('height', String(PAGE_HEIGHT));
  const groups = new Map<number, SVGElement>();
  for (const [index, line] of lines.entries()) {
    const group = groups.get(line.paragraph) ?? document.createElementNS(SVG, 'g');
    groups.set(line.paragraph, group);
    group.setAttribute('role', 'paragraph');
    group.setAttribute('data-block', line.block);
    for (const { from, font, text } of stretches(line.characters)) {
      const rect = document.createElementNS(SVG, 'rect');
      const attributes = {
        'aria-label': text,
        'data-font-css': font,
        x: from * CHARACTER_WIDTH,
        y: index * LINE_HEIGHT,
        width: text.length * CHARACTER_WIDTH,
        height: LINE_HEIGHT,
        fill: 'transparent',
      };
      for (const [name, value] of Object.entries(attributes)) rect.setAttribute(name, String(value));
      group.append(rect);
    }
  }
  svg.append(...groups.values());
  const old = page.querySelector('svg');
  if (old?.outerHTML === svg.outerHTML) return;
  if (old === null) {
    const tile = document.createElement('div');
    tile.className = 'kix-canvas-tile-content';
    page.replaceChildren(tile);
  }
  page.firstElementChild!.replaceChildren(...(isAnnotated ? [svg] : []));
}

function stretches(characters: readonly Character[]): { from: number; font: string; text: string }[] {
  const found: { from: number; font: string; text: string }[] = [];
  for (const [index, { text, bold, italic }] of characters.entries()) {
    const font = `${italic ? 'italic ' : ''}${bold ? 700 : 400} 11pt Arial`;
    const last = found.at(-1);
    if (last?.font === font) last.text += text;
    else found.push({ from: index, font, text });
  }
  return found;
}
