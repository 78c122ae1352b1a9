/** Visibility of other users' cursors, if the library has the means. */
import type { Cursors, Editor, Selection } from '../../editors/base/editor.ts';
import { type Client, insert } from './client.ts';
import { type ConformanceSession, type Property, users } from './session.ts';

export const presence: Property = {
  id: 'presence',
  title: 'others’ cursors come, move with the text, and go',
  needsPresence: true,
  async run(session) {
    const [a, b] = users(session);
    const sees = (client: Client, selection: Selection | null) =>
      untilSeen(session, { client, name: a.name, selection });
    await a.edit(insert, { index: 0, text: 'one two three' });
    await session.agree();
    await a.edit(select, { index: 4, length: 3 });
    await sees(b, { index: 4, length: 3 });
    await b.edit(insert, { index: 0, text: 'zero ' });
    await session.agree();
    await sees(b, { index: 9, length: 3 });
    const late = await session.join();
    await sees(late, { index: 9, length: 3 });
    await a.edit(insert, { index: 17, text: '!' });
    await session.agree();
    await a.edit(select, { index: 18, length: 0 });
    for (const client of [b, late]) await sees(client, { index: 18, length: 0 });
    await session.part(a);
    for (const client of [b, late]) await sees(client, null);
  },
};

/** @param seen.selection null: nowhere */
async function untilSeen(
  session: ConformanceSession,
  { client, name, selection }: { client: Client; name: string; selection: Selection | null },
): Promise<void> {
  const wanted = JSON.stringify(selection);
  await session.until(async () => {
    const seen = JSON.stringify(await client.edit(cursorOf, name));
    return seen === wanted ? null : `the cursor of ${name} is at ${seen} for ${client.name}, instead of ${wanted}`;
  });
}

// As those of client.ts, these run in the page.

function select(editor: Editor, { index, length }: Selection): void {
  editor.setSelection(index, length, 'user');
}

function cursorOf(editor: Editor, name: string): Selection | null {
  const cursors = (editor.getModule('cursors') as Cursors).cursors();
  const range = cursors.find((cursor) => cursor.name === name)?.range ?? null;
  return range && { index: range.index, length: range.length };
}
