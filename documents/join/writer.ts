/** A user without a browser who writes into a document: at NoQuill, with the framework's own client. */
import Delta from 'quill-delta';
import type { FrameworkClient, Replica } from '../../editors/base/framework.ts';
import { pressEnter, typeText } from '../../editors/base/noquill/keys.ts';
import { NoQuill } from '../../editors/base/noquill/noquill.ts';
import { Cursor } from '../../editors/base/page/cursor.ts';
import { AT_ONCE } from '../../editors/base/page/newcomer.ts';
import { SubjectFailure } from '../scenario.ts';
import type { Place } from './calls.ts';

export class Writer {
  readonly editor: NoQuill;
  readonly replica: Replica;
  #text: readonly string[] = [];
  #typed = 0;

  private constructor(editor: NoQuill, replica: Replica) {
    this.editor = editor;
    this.replica = replica;
  }

  /**
   * @param onLost is told why the client gave the server up
   * @throws SubjectFailure if it does not join
   */
  static async join(client: FrameworkClient, place: Place, onLost: (reason: string) => void): Promise<Writer> {
    const editor = new NoQuill();
    const joining = client.join({ ...place, editor, batching: AT_ONCE, onLost, onReconnected: () => {} });
    const replica = await joining.catch((error: Error) => {
      throw new SubjectFailure('not-joined', `a user who is to write could not join: ${error.message}`);
    });
    return new Writer(editor, replica);
  }

  /** One edit of a trace. */
  edit(position: number, deleted: number, inserted: string): void {
    this.editor.updateContents(new Delta().retain(position).insert(inserted).delete(deleted), 'user');
  }

  /**
   * From now on it types this text, over and over, from a place of its own in the document and in the text.
   *
   * @param characters at least one
   * @param fraction   where, in [0, 1)
   */
  startAt(characters: readonly string[], fraction: number): void {
    this.#text = characters;
    this.#typed = Math.floor(fraction * characters.length);
    this.editor.setSelection(0);
    new Cursor(this.editor).move(Math.floor(fraction * this.editor.getLength()));
  }

  typeKey(): void {
    const character = this.#text[this.#typed++ % this.#text.length]!;
    if (character === '\n') pressEnter(this.editor);
    else typeText(this.editor, character);
  }

  insert(text: string): void {
    typeText(this.editor, text);
  }
}
