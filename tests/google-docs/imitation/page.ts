/**
 * A page that behaves like a Google Doc in all that this framework relies on, for tests: keys go to a frame, text is drawn
 * and annotated, operations go to a relay that hands them to everyone in one order. See ../README.md.
 */
import { type Character, createDocument, type Operation } from './document.ts';
import { drawPages } from './drawing.ts';

const document_ = createDocument();
const scroller = document.querySelector('.kix-appview-editor')!;
const place = document.querySelector('.kix-rotatingtilemanager-content')!;
const frame = document.querySelector<HTMLIFrameElement>('.docs-texteventtarget-iframe')!;
const myName = crypto.randomUUID();
const relay = new WebSocket(location.href.replace(/^http/, 'ws'));

let made = 0;
/** The characters that the cursor, and the other end of the selection, stand behind. */
let cursor: string | null = null;
let anchor: string | null = null;
/** For what is typed next at the cursor. */
let typing = { bold: false, italic: false };
let draws = false;
/** Operations on their way: the next key waits for the relay to hand them back. */
const underWay: (() => void)[] = [];
let keys = Promise.resolve();

function draw(): void {
  if (draws) return;
  draws = true;
  requestAnimationFrame(() => {
    draws = false;
    drawPages(scroller, place, document_.paragraphs());
  });
}

relay.addEventListener('message', ({ data }) => {
  const { from, operation }: { from: string; operation: Operation } = JSON.parse(data);
  document_.apply(operation);
  if (from === myName) underWay.shift()!();
  draw();
});

function send(operation: Operation): Promise<void> {
  relay.send(JSON.stringify({ from: myName, operation }));
  return new Promise((resolve) => underWay.push(resolve));
}

async function write(text: string): Promise<void> {
  await erase();
  for (const each of text) {
    const character: Character = { id: `${myName}/${made++}`, text: each, isDeleted: false, ...typing };
    await send({ kind: 'insert', after: cursor, character });
    cursor = anchor = character.id;
  }
}

/** The selected characters, in order. */
function selected(): Character[] {
  const visible = document_.visible();
  const place = (id: string | null) => visible.findIndex((each) => each.id === document_.visibleUpTo(id)) + 1;
  const [from, to] = [place(cursor), place(anchor)].sort((a, b) => a - b);
  return visible.slice(from, to);
}

async function erase(): Promise<boolean> {
  const characters = selected();
  for (const { id } of characters) await send({ kind: 'delete', id });
  cursor = anchor = document_.visibleUpTo(cursor);
  return characters.length > 0;
}

function move(by: number, selects: boolean): void {
  const visible = document_.visible();
  const range = selected();
  if (range.length > 0 && !selects) {
    // The arrow ends the selection, and goes no further.
    const start = visible.indexOf(range[0]!) - 1;
    cursor = anchor = by < 0 ? (visible[start]?.id ?? null) : range.at(-1)!.id;
    return;
  }
  const at = visible.findIndex(({ id }) => id === document_.visibleUpTo(cursor));
  const to = Math.min(Math.max(at + by, -1), visible.length - 1);
  cursor = visible[to]?.id ?? null;
  if (!selects) anchor = cursor;
}

async function toggle(name: 'bold' | 'italic'): Promise<void> {
  const characters = selected();
  if (characters.length === 0) {
    typing = { ...typing, [name]: !typing[name] };
    return;
  }
  const value = !characters.every((character) => character[name]);
  for (const { id } of characters) await send({ kind: 'format', id, name, value });
}

async function setBlock(block: string): Promise<void> {
  const visible = document_.visible();
  const at = visible.findIndex(({ id }) => id === document_.visibleUpTo(cursor));
  const end = visible.slice(at + 1).find(({ text }) => text === '\n');
  await send({ kind: 'block', id: end?.id ?? null, block });
}

const SHORTCUTS: Record<string, () => Promise<void>> = {
  'ctrl+KeyB': () => toggle('bold'),
  'ctrl+KeyI': () => toggle('italic'),
  'ctrl+alt+Digit1': () => setBlock('heading 1'),
  'ctrl+alt+Digit2': () => setBlock('heading 2'),
  'ctrl+shift+Digit7': () => setBlock('numbered'),
  'ctrl+shift+Digit8': () => setBlock('bulleted'),
};

async function onKey({ key, code, ctrlKey, altKey, shiftKey }: KeyboardEvent): Promise<void> {
  if (ctrlKey) return SHORTCUTS[`ctrl+${altKey ? 'alt+' : ''}${shiftKey ? 'shift+' : ''}${code}`]?.();
  if (key === 'ArrowLeft' || key === 'ArrowRight') return move(key === 'ArrowLeft' ? -1 : 1, shiftKey);
  if (key === 'Enter') return write('\n');
  if (key === 'Tab') return write('\t');
  if (key === 'Backspace' || key === 'Delete') {
    if (await erase()) return;
    move(key === 'Backspace' ? -1 : 1, true);
    await erase();
    return;
  }
  if (key.length === 1) await write(key);
}

function inTurn(step: () => Promise<void>): void {
  keys = keys.then(step);
}

const keyTarget = frame.contentDocument!;
keyTarget.body.innerHTML = '<div contenteditable="true" role="textbox" aria-label="Document content"></div>';
keyTarget.addEventListener('keydown', (event) => {
  imitation.pressedKeys++;
  event.preventDefault();
  inTurn(() => onKey(event));
});
keyTarget.addEventListener('paste', (event) => {
  event.preventDefault();
  const text = event.clipboardData!.getData('text/plain');
  inTurn(() => write(text));
});
scroller.addEventListener('mousedown', (event) => {
  event.preventDefault();
  frame.contentWindow!.focus();
  keyTarget.querySelector('div')!.focus();
});
scroller.addEventListener('scroll', draw);

/** For the test that looks on. */
const imitation = {
  pressedKeys: 0,
  text: () =>
    document_
      .visible()
      .map(({ text }) => text)
      .join(''),
};
Object.assign(globalThis, { imitation });
relay.addEventListener('open', draw);
