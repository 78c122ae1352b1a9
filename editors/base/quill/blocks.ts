/**
 * The text of Quill's DOM, block by block: a paragraph, a header or a list's item is a line of the document. A frame costs
 * only the blocks that it changed, in a document of any length.
 */

import type { Shown } from '../editor.ts';
import { stampFrames } from '../frames.ts';

/** Quill inserts one at the cursor while formats are chosen for the next text; it is not part of the text. */
const CURSOR_CHARACTERS = /\uFEFF/g;

/** The text of the whole editor as its DOM holds it, each block followed by "\n". */
export function screenText(root: HTMLElement): string {
  return blocksIn(root)
    .map((block) => `${blockText(block)}\n`)
    .join('');
}

/**
 * Calls `listener` after each frame that changed text in `root`, with the changed blocks' texts before and after and the
 * frame's time. That time is one for all of the frame: of the task that follows `requestAnimationFrame` and the rendering.
 *
 * @param takeFormatted gives what was formatted since its last call; a format changes the DOM, so a frame follows
 */
export function watchBlocks(
  root: HTMLElement,
  takeFormatted: () => Shown['formatted'],
  listener: (shown: Shown) => void,
): void {
  const texts = new WeakMap<Element, string>();
  for (const block of blocksIn(root)) texts.set(block, blockText(block));

  let changed = new Set<Element>();
  const frameChanges = stampFrames({
    read() {
      const before: string[] = [];
      const after: string[] = [];
      for (const block of changed) {
        const old = texts.get(block);
        if (old !== undefined) before.push(old);
        if (root.contains(block)) {
          const text = blockText(block);
          after.push(text);
          texts.set(block, text);
        } else texts.delete(block);
      }
      changed = new Set();
      return { before, after, formatted: takeFormatted() };
    },
    onPresented: (change, atMs) => listener({ ...change, atMs }),
  });
  new MutationObserver((mutations) => {
    for (const { target, addedNodes, removedNodes } of mutations) {
      if (target === root || isList(target)) {
        for (const node of [...addedNodes, ...removedNodes]) {
          for (const block of node instanceof Element ? blocksOf(node) : []) changed.add(block);
        }
      } else {
        const block = blockOf(target, root);
        if (block !== null) changed.add(block);
      }
    }
    if (changed.size > 0) frameChanges();
  }).observe(root, { childList: true, characterData: true, subtree: true });
}

function blocksIn(root: Element): Element[] {
  return [...root.children].flatMap(blocksOf);
}

/** A list holds a block for each item; everything else on the top level is one. */
function blocksOf(element: Element): Element[] {
  return isList(element) ? [...element.children] : [element];
}

function isList(node: Node): boolean {
  return node.nodeName === 'OL';
}

/** The block that `node` belongs to; null if that was removed, which is a mutation of its parent. */
function blockOf(node: Node, root: Element): Element | null {
  let block: Node = node;
  for (let parent = node.parentNode; parent !== null; block = parent, parent = parent.parentNode) {
    if (parent === root || (isList(parent) && parent.parentNode === root)) return block as Element;
  }
  return null;
}

function blockText(block: Element): string {
  return block.textContent.replace(CURSOR_CHARACTERS, '');
}
