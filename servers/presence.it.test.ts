/**
 * Users who see one another's cursors, by each framework's own means, through its own server: the rest of what `check` shows
 * in Chrome.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { presenceOf } from '../editors/base/framework.ts';
import { discoverFrameworks } from '../frameworks/discover.ts';
import { type ServedUsers, serveUsers, type User, until } from '../tests/served-users.ts';

const able = (await discoverFrameworks()).filter(({ about }) => presenceOf(about).by !== undefined);

test('most libraries have presence', () => {
  expect(able.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['automerge-repo', 'collabs', 'loro', 'sharedb', 'yjs', 'yjs-hocuspocus', 'yjs-relay']),
  );
});

/** A framework's tests share its server; frameworks run side by side, since they wait more than they work. */
const IN_TURN = { concurrent: false };

describe.concurrent.each(able.map(({ name }) => name))('%s', (framework) => {
  let served: ServedUsers;
  beforeEach(async () => {
    served = await serveUsers(framework);
  });
  afterEach(async () => {
    expect(served.users.flatMap(({ lost }) => lost)).toEqual([]);
    await served.close();
  });
  const join = (name: string, options: { port?: number; sendMs?: number } = {}) =>
    served.join({ receiveMs: 10, ...options, presence: { name, colour: 'red' } });

  /** The cursors that a user sees, by the others' names. */
  function seenBy({ editor }: User): Record<string, [index: number, length: number]> {
    const cursors = editor.getModule('cursors')!.cursors();
    return Object.fromEntries(
      cursors.flatMap(({ name, range }) => (range ? [[name, [range.index, range.length]]] : [])),
    );
  }

  test('a cursor goes on with what its user types and deletes, over emoji too', IN_TURN, async () => {
    const [ada, ben] = [await join('Ada'), await join('Ben')];
    ada.editor.setSelection(0, 0, 'user');
    for (const text of ['a', '👩', 'b', '\n', 'c']) {
      const { index } = ada.editor.getSelection()!;
      ada.editor.insertText(index, text, 'user');
      ada.editor.setSelection(index + text.length, 0, 'silent');
    }
    await until(() => seenBy(ben), { Ada: [6, 0] });
    ada.editor.deleteText(5, 1, 'user');
    await until(() => [seenBy(ben), ben.editor.getText()], [{ Ada: [5, 0] }, 'a👩b\n\n']);
    ben.editor.formatLine(0, 1, { header: 1 }, 'user');
    ben.editor.deleteText(0, 1, 'user');
    await until(() => [seenBy(ben), ada.editor.getText()], [{ Ada: [4, 0] }, '👩b\n\n']);
  });

  test('who comes later sees those who are there, and not who has gone', IN_TURN, async () => {
    const [ada, ben] = [await join('Ada'), await join('Ben', { sendMs: 30 })];
    ada.editor.insertText(0, 'text', 'user');
    for (const index of [1, 2, 3]) {
      ada.editor.setSelection(index, 0, 'user');
      await until(() => seenBy(ben).Ada, [index, 0]);
    }
    ben.editor.setSelection(4, 0, 'user');
    await until(() => seenBy(ada), { Ben: [4, 0] });
    await served.leave(ben);
    await until(() => seenBy(ada), {});
    const late = await join('Late');
    await until(() => seenBy(late), { Ada: [3, 0] });
  });

  test('who takes no part tells nobody, and one whose connection broke is seen again', IN_TURN, async () => {
    const [ada, ben] = [await join('Ada'), await join('Ben', { port: served.line.port })];
    const silent = await served.join();
    silent.editor.insertText(0, 'text', 'user');
    silent.editor.setSelection(1, 0, 'user');
    ben.editor.setSelection(0, 0, 'user');
    await until(() => [ben.editor.getText(), Object.keys(seenBy(ada))], ['text\n', ['Ben']]);
    served.line.cut();
    // Of nothing that is new, automerge-repo does not see that it is in step again.
    silent.editor.insertText(4, '!', 'user');
    served.line.mend();
    await until(() => ben.reconnections, 1);
    // A server may find the end of the broken connection late, and take the user for gone until it moves again.
    let place = 2;
    const moveAndLook = () => {
      place = place === 2 ? 3 : 2;
      ben.editor.setSelection(place, 0, 'user');
      return (seenBy(ada).Ben?.[0] ?? 0) >= 2;
    };
    await until(moveAndLook, true);
  });
});
