/** The text of a Docs page, paragraph by paragraph, from its annotations, and the frames that changed it. */
import { stampFrames } from '../base/frames.ts';
import type { Shown } from '../base/screen.ts';
import { PARAGRAPH, SCROLLER, STRETCH, TILE } from './parts.ts';

const LABEL = 'aria-label';

/** A stretch of text, and where it stands in the document, in CSS pixels from its top left. */
export interface PlacedText {
  text: string;
  left: number;
  top: number;
}

/** Texts that are drawn now, in no particular order; the rest of the document is not there. */
export function placedTexts(): PlacedText[] {
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
      return { before, after };
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
