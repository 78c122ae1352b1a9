/** The text of a Docs page, paragraph by paragraph, from its annotations, and the frames that changed it. */

import type { Shown } from '../base/editor.ts';
import { stampFrames } from '../base/frames.ts';
import { PARAGRAPH, SCROLLER, STRETCH, TILE } from './parts.ts';

const LABEL = 'aria-label';

/** A stretch of text, and where it stands in the document, in CSS pixels from its top left. */
export interface PlacedText {
  text: string;
  left: number;
  top: number;
}

/** Texts that are drawn now, in no particular order; the rest of the document is not there. */
function placedTexts(): PlacedText[] {
  const origin = documentOrigin();
  return [...document.querySelectorAll(STRETCH)].map((stretch) => {
    const { left, top } = stretch.getBoundingClientRect();
    return {
      text: stretch.getAttribute(LABEL)!,
      left: Math.round(left - origin.left),
      top: Math.round(top - origin.top),
    };
  });
}

/**
 * Calls `listener` after each frame that changed text, with the paragraphs that it changed, before and after.
 *
 * Text that scrolling brings or removes was not typed then. Text on a tile that stands where none stood the frame before is
 * not reported as shown, only as known from then on.
 */
export function watchParagraphs(listener: (shown: Shown) => void): void {
  const texts = new WeakMap<Element, string>();
  let tileTops = topsOfTiles();
  for (const paragraph of paragraphsIn(document.documentElement)) texts.set(paragraph, textOf(paragraph));

  /** True if the tile was on the screen before this frame, perhaps with other content. */
  const stoodThere = (paragraph: Element) => {
    const tile = paragraph.closest(TILE);
    return tile !== null && tileTops.has(topOf(tile));
  };

  let changed = new Set<Element>();
  const frameChanges = stampFrames({
    read() {
      const before: string[] = [];
      const after: string[] = [];
      const topsNow = topsOfTiles();
      for (const paragraph of changed) {
        const old = texts.get(paragraph);
        if (old !== undefined) before.push(old);
        if (paragraph.isConnected) {
          const text = textOf(paragraph);
          texts.set(paragraph, text);
          if (stoodThere(paragraph)) after.push(text);
        } else texts.delete(paragraph);
      }
      tileTops = topsNow;
      changed = new Set();
      return { before, after, formatted: [] };
    },
    onPresented: (change, atMs) => listener({ ...change, atMs }),
  });
  new MutationObserver((mutations) => {
    for (const { target, addedNodes, removedNodes } of mutations) {
      const around = (target as Element).closest(PARAGRAPH);
      if (around !== null) changed.add(around);
      for (const node of [...addedNodes, ...removedNodes]) {
        for (const paragraph of node instanceof Element ? paragraphsIn(node) : []) changed.add(paragraph);
      }
    }
    if (changed.size > 0) frameChanges();
  }).observe(document.querySelector(SCROLLER)!, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: [LABEL],
  });
}

function paragraphsIn(element: Element): Element[] {
  const inside = [...element.querySelectorAll(PARAGRAPH)];
  return element.matches(PARAGRAPH) ? [element, ...inside] : inside;
}

/** A line that wraps, or changes its font, is several stretches of one paragraph. */
function textOf(paragraph: Element): string {
  return [...paragraph.querySelectorAll(`:scope > rect[${LABEL}]`)]
    .map((stretch) => stretch.getAttribute(LABEL))
    .join('');
}

/** Where the document's top left would be on the screen. */
function documentOrigin(): { left: number; top: number } {
  const scroller = document.querySelector(SCROLLER)!;
  const { left, top } = scroller.getBoundingClientRect();
  return { left: left - scroller.scrollLeft, top: top - scroller.scrollTop };
}

function topOf(tile: Element): number {
  return Math.round(tile.getBoundingClientRect().top - documentOrigin().top);
}

function topsOfTiles(): Set<number> {
  return new Set([...document.querySelectorAll(TILE)].map(topOf));
}

/** Share of the visible part to scroll at a time: lines at the edges are seen twice rather than never. */
const STEP = 0.8;
/** How long Docs may take to draw what came in sight. */
const DRAWING_MS = 150;
/** At about 50 lines of 90 characters a page and two steps a page, 100 pages; longer documents are not read. */
const MOST_STEPS = 200;
/** Limit for a reading: twice the steps of the longest one. */
export const READING_LIMIT_MS: number = 2 * MOST_STEPS * DRAWING_MS;

/** Spaces at the ends of lines, line ends and marks of Docs' own may or may not be in a label. */
const LEFT_OUT = /[\s\p{C}]/gu;

/**
 * The document's text as the screen shows it, without spaces. It is read from top to bottom, because Docs draws only the
 * visible part and its neighbourhood. The page is left scrolled as it was. What others change
 * meanwhile may be missing, or there twice.
 *
 * @returns null if the document is too long to be read, or shows no text at all, which proves nothing
 */
export async function readWholeText(): Promise<string | null> {
  const scroller = document.querySelector(SCROLLER)!;
  const { scrollTop } = scroller;
  const step = Math.max(1, Math.floor(scroller.clientHeight * STEP));
  const found = new Map<string, PlacedText>();
  let top = 0;
  for (let steps = 0; steps < MOST_STEPS && top < scroller.scrollHeight; steps++, top += step) {
    scroller.scrollTop = top;
    await new Promise((resolve) => setTimeout(resolve, DRAWING_MS));
    for (const each of placedTexts()) found.set(`${each.top},${each.left}`, each);
  }
  const isWhole = top >= scroller.scrollHeight;
  scroller.scrollTop = scrollTop;
  const text = joinInOrder([...found.values()]);
  return isWhole && text !== '' ? text : null;
}

/** Line by line from the top, each from the left; without spaces. */
export function joinInOrder(texts: readonly PlacedText[]): string {
  return texts
    .toSorted((a, b) => a.top - b.top || a.left - b.left)
    .map(({ text }) => text)
    .join('')
    .replaceAll(LEFT_OUT, '');
}
