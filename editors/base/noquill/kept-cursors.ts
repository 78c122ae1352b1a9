/** Others' cursors where nothing is rendered: kept as Quill's module `cursors` keeps them, and drawn nowhere. */
import type { Cursors, Selection, ShownCursor } from '../editor.ts';

export class KeptCursors implements Cursors {
  readonly #kept = new Map<string, ShownCursor>();

  createCursor(id: string, name: string, color: string): void {
    if (!this.#kept.has(id)) this.#kept.set(id, { id, name, color });
  }

  moveCursor(id: string, range: Selection): void {
    const cursor = this.#kept.get(id);
    if (cursor !== undefined) cursor.range = range;
  }

  removeCursor(id: string): void {
    this.#kept.delete(id);
  }

  cursors(): ShownCursor[] {
    return [...this.#kept.values()];
  }
}
