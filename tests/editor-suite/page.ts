/** The page in which the suite runs against real Quill and against NoQuill with its DOM. */
import { canonicalDelta } from '../../editors/base/delta.ts';
import type { Editor, Screen, Shown } from '../../editors/base/editor.ts';
import { createNoQuillScreen } from '../../editors/base/noquill/screen.ts';
import { createQuillScreen } from '../../editors/base/quill/screen.ts';
import { compareEditors, type Step } from './differential.ts';
import { EDITOR_CASES } from './editor-suite.ts';

export type EditorName = keyof typeof SCREENS;
export type SuitePage = typeof suite;

const SCREENS = { quill: createQuillScreen, noquill: createNoQuillScreen };

let open: Editor;

function place(): HTMLElement {
  const container = document.createElement('div');
  container.style.height = '300px';
  document.body.append(container);
  return container;
}

function makeScreen(name: EditorName): Screen {
  document.body.replaceChildren();
  return SCREENS[name](place());
}

const suite = {
  async runCase(editor: EditorName, name: string): Promise<void> {
    await EDITOR_CASES.find((one) => one.name === name)!.run(() => makeScreen(editor));
  },
  compare(steps: Step[]): void {
    document.body.replaceChildren();
    compareEditors(createQuillScreen(place()), createNoQuillScreen(place()), steps);
  },
  /** A fresh editor that has the focus and the given contents, for real keys. */
  open(editor: EditorName, contents: { insert: string; attributes?: Record<string, unknown> }[]): void {
    open = makeScreen(editor).editor;
    document.querySelector<HTMLElement>('[contenteditable]')!.focus();
    open.setContents(contents);
  },
  select(index: number, length: number): void {
    open.setSelection(index, length, 'user');
  },
  state(): unknown {
    return { contents: canonicalDelta(open.getContents()).ops, selection: open.getSelection() };
  },
  /** Changes several blocks in one go; what was reported of it, and when the next frame's callbacks began. */
  async showLines(): Promise<{ shown: Shown[]; beganMs: number }> {
    const screen = makeScreen('quill');
    const shown: Shown[] = [];
    screen.onShown((one) => shown.push(one));
    screen.editor.setContents([{ insert: 'one\ntwo' }]);
    screen.editor.insertText(7, '\nthree');
    const beganMs = await new Promise<number>((resolve) => {
      requestAnimationFrame((time) => resolve(performance.timeOrigin + time));
    });
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { shown, beganMs };
  },
  paste(text: string): void {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(paste);
  },
};

Object.assign(globalThis, { suite });
