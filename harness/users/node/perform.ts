/** How an action is carried out at NoQuill without a browser: by the functions that its keys and buttons call in Chrome. */
import { BLOCK_FORMATS } from '../../../editors/base/editor.ts';
import {
  pasteText,
  pressBackspace,
  pressDelete,
  pressEnter,
  toggleFormat,
  typeText,
} from '../../../editors/base/noquill/keys.ts';
import type { NoQuill } from '../../../editors/base/noquill/noquill.ts';
import type { Session } from '../../../editors/base/page/session.ts';
import type { Action } from '../typing/typist.ts';

/** @throws what a framework's binding throws, within the editor's own event */
export function performAt(editor: NoQuill, session: Session, action: Action): void {
  switch (action.kind) {
    case 'key':
      session.move(action.move);
      pressKey(editor, action.text);
      break;
    case 'backspace':
      session.move(action.move);
      pressBackspace(editor);
      break;
    case 'delete':
      session.move(action.move);
      pressDelete(editor);
      break;
    case 'paste':
      session.move(action.move);
      pasteText(editor, action.text);
      break;
    case 'erase':
      session.select(action.move, action.length);
      pressBackspace(editor);
      break;
    case 'format-cursor':
      toggleFormat(editor, action.format);
      break;
    case 'format-range':
      session.select(action.distance, action.length);
      toggleFormat(editor, action.format);
      session.collapse(-action.distance);
      break;
    case 'format-block': {
      const { name, value } = BLOCK_FORMATS[action.button]!;
      toggleFormat(editor, name, value);
      break;
    }
    case 'sigil-key':
      typeText(editor, action.text);
      break;
  }
}

function pressKey(editor: NoQuill, text: string): void {
  if (text === '\n') pressEnter(editor);
  else typeText(editor, text);
}
