/** Reads the whole document off the screen, from top to bottom, because Docs draws only what is near the visible part. */
import { type PlacedText, placedTexts } from './paragraphs.ts';
import { SCROLLER } from './parts.ts';

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
 * The document's text as the screen shows it, without spaces. The page is left scrolled as it was. What others change
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
