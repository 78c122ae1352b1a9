/** Properties of every framework. Each edits as the clients of one session, two at least, and ends with their agreement. */
import { BLOCK_FORMATS, INLINE_FORMATS } from '../../editors/base/editor.ts';
import { allLeave, authorLeaves, MANY_AUTHORS, manyAuthors } from './authors-properties.ts';
import { type FormatArguments, format, formatLine, insert, insertAtEnd, remove, removeAll } from './client.ts';
import { presence } from './presence-property.ts';
import { type RandomEdit, randomEdits, typeAtRandom } from './random-edits.ts';
import { type CheckSize, expectEqual, expectHolds, NotSupported, type Property, users, Violation } from './session.ts';

/** Of a property. Of several, the first of these counts: a known issue hides nothing that was not looked at. */
export const OUTCOMES = ['fails', 'not supported', 'known issue', 'holds'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Saved states are looked at with every property. */
export const SAVED_STATE = { id: 'saved-state', title: 'saved states load into the same document' };

/** In brief, random edits are enough for those of all kinds to cross. */
export const CHECK_SIZES = {
  full: { randomEdits: 500, ...MANY_AUTHORS },
  brief: { randomEdits: 60, ...MANY_AUTHORS },
} satisfies Record<string, CheckSize>;
const RANDOM_USERS = 3;
/**
 * In brief, of a framework whose library another shows in full: that its page joins its server, and that this keeps what it has
 * told others. Agreement through each server is tested without Chrome (tests/convergence.it.test.ts,
 * servers/reconnecting.it.test.ts), as is presence (servers/presence.it.test.ts).
 */
export const BRIEF_PROPERTIES = ['author-leaves'];

export const PROPERTIES: readonly Property[] = [
  {
    id: 'formats',
    title: 'every format goes on and off',
    async run(session) {
      const [a, b] = users(session);
      await a.edit(insert, { index: 0, text: LINES });
      await session.agree();
      for (const value of [true, false]) {
        const [from, to] = value ? [a, b] : [b, a];
        for (const [place, name] of INLINE_FORMATS.entries()) {
          await from.edit(format, { index: place * LINE.length, length: LINE.length - 1, formats: { [name]: value } });
        }
        for (const [place, { name, value: blockValue }] of BLOCK_FORMATS.entries()) {
          const index = (INLINE_FORMATS.length + place) * LINE.length;
          await from.edit(formatLine, { index, length: 1, formats: { [name]: value ? blockValue : false } });
        }
        await session.agree();
        const seen = await to.edit(
          (editor, { lines, length }) =>
            Array.from({ length: lines }, (_, line) => editor.getFormat(line * length, length - 1)),
          { lines: INLINE_FORMATS.length + BLOCK_FORMATS.length, length: LINE.length },
        );
        const wanted = [
          ...INLINE_FORMATS.map((name) => ({ [name]: true })),
          ...BLOCK_FORMATS.map((block) => ({ [block.name]: block.value })),
        ].map((formats) => (value ? formats : {}));
        expectEqual(seen, wanted, `the formats that the other user sees (${value ? 'on' : 'off'})`);
      }
      // Text typed beside a format has just the formats that the editor gave it.
      await a.edit(format, { index: 0, length: 4, formats: { bold: true } });
      await a.edit((editor) => void editor.insertText(4, 'plain', { bold: false }, 'user'), null);
      await a.edit((editor) => void editor.insertText(2, 'italic', { italic: true }, 'user'), null);
      await session.agree();
    },
  },
  {
    id: 'insert-ends',
    title: 'inserts at both ends',
    async run(session) {
      const [a, b] = users(session);
      for (const round of ['1', '2', '3']) {
        await Promise.all([
          a.edit(insert, { index: 0, text: `first${round}\n` }),
          b.edit(insertAtEnd, `\nlast${round}`),
        ]);
        await Promise.all([b.edit(insert, { index: 0, text: `top${round} ` }), a.edit(insertAtEnd, ` end${round}`)]);
        expectHolds(await session.agree(), `first${round}`, `last${round}`, `top${round}`, `end${round}`);
      }
    },
  },
  {
    id: 'paste',
    title: 'a paste of several lines',
    async run(session) {
      const [a, b] = users(session);
      await Promise.all([a.paste('pasted one\npasted two\n\npasted three'), b.paste('another\npaste')]);
      expectHolds(await session.agree(), 'pasted one', 'pasted two', 'pasted three', 'another');
    },
  },
  {
    id: 'unicode',
    title: 'emoji, combining marks, right-to-left text',
    async run(session) {
      const [a, b] = users(session);
      const family = '👩‍👩‍👧‍👦';
      const words = `start ${family} 👍🏽 e\u0301a\u030a שלום عالم end`;
      await a.edit(insert, { index: 0, text: words });
      await session.agree();
      await Promise.all([
        b.edit(remove, { index: words.indexOf(family), length: family.length }),
        a.edit(insert, { index: words.indexOf('שלום') + 2, text: 'אב' }),
        b.edit(insert, { index: 0, text: '🎉' }),
        a.edit(format, { index: words.indexOf('e\u0301'), length: 2, formats: { bold: true } }),
      ]);
      const text = await session.agree();
      expectHolds(text, '🎉start', '👍🏽', 'e\u0301a\u030a', 'שלאבום', 'عالم');
      if (text.includes('👩')) throw new Violation('an emoji that was deleted is still there');
      if (!text.isWellFormed()) throw new Violation('an emoji was cut in two');
    },
  },
  {
    id: 'alike-emoji',
    title: 'emoji side by side that begin with the same UTF-16 unit',
    async run(session) {
      const [a, b] = users(session);
      await a.edit(insert, { index: 0, text: '🏽🏽🏽🏽' });
      await a.edit(format, { index: 2, length: 4, formats: { bold: true } });
      await session.agree();
      for (const index of [0, 2, 4, 6]) await a.edit(insert, { index: index * 2, text: '🎉' });
      await b.edit(insert, { index: 8, text: 'end' });
      const text = await session.agree();
      if (!text.isWellFormed()) throw new Violation('an emoji was cut in two');
      // Between which of them it stands depends on what the second user had received by then.
      expectHolds(text.replace('end', ''), '🎉🏽🎉🏽🎉🏽🎉🏽');
    },
  },
  {
    id: 'own-undo',
    title: "undo takes back nobody else's edits",
    async run(session) {
      const [a, b] = users(session);
      await a.edit(insert, { index: 0, text: 'mine ' });
      await session.agree();
      await b.edit(insert, { index: 0, text: 'theirs ' });
      await session.agree();
      for (let times = 0; times < 3; times++) await a.pressControl('z');
      const text = await session.agree();
      expectHolds(text, 'theirs ');
      if (text.includes('mine ')) throw new NotSupported('Ctrl+Z takes nothing back: there is no undo here');
    },
  },
  {
    id: 'concurrent-insert',
    title: 'concurrent inserts at one place',
    async run(session) {
      const [a, b] = users(session);
      await a.edit(insert, { index: 0, text: 'before after' });
      await session.agree();
      for (const round of ['1', '2', '3']) {
        await Promise.all([
          a.edit(insert, { index: 7, text: `[one${round}]` }),
          b.edit(insert, { index: 7, text: `<two${round}>` }),
        ]);
        expectHolds(await session.agree(), `[one${round}]`, `<two${round}>`);
      }
    },
  },
  {
    id: 'overlapping-formats',
    title: 'formats overlapping concurrent inserts and deletes',
    async run(session) {
      const [a, b] = users(session);
      await a.edit(insert, { index: 0, text: 'abcdefghijklmnopqrstuvwxyz' });
      await session.agree();
      await Promise.all([
        a.edit(format, { index: 5, length: 10, formats: { bold: true } }),
        b.edit(insert, { index: 10, text: 'INSIDE' }),
        b.edit(remove, { index: 18, length: 4 }),
      ]);
      await session.agree();
      await Promise.all([
        a.edit(format, { index: 0, length: 12, formats: { italic: true } }),
        b.edit(format, { index: 3, length: 6, formats: { bold: false } }),
        b.edit(insert, { index: 12, text: 'edge' }),
        a.edit(format, { index: 8, length: 6, formats: { bold: true } }),
        b.edit(remove, { index: 6, length: 8 }),
      ]);
      await session.agree();
    },
  },
  {
    id: 'line-formats',
    title: 'concurrent formats of one line',
    async run(session) {
      const [a, b] = users(session);
      await a.edit(insert, { index: 0, text: LINES });
      await session.agree();
      for (const [line, mine] of BLOCK_FORMATS.entries()) {
        const theirs = BLOCK_FORMATS[(line + 2) % BLOCK_FORMATS.length]!;
        const place = { index: line * LINE.length, length: 1 };
        await Promise.all([
          a.edit(formatLine, { ...place, formats: { [mine.name]: mine.value } }),
          b.edit(formatLine, { ...place, formats: { [theirs.name]: theirs.value } }),
        ]);
        await session.agree();
      }
      // A line that is formatted while it is split, joined with the next, or gets text at its end.
      await Promise.all([a.edit(formatLine, line(0, 'header', 2)), b.edit(insert, { index: 4, text: '\n' })]);
      await session.agree();
      await Promise.all([
        a.edit(formatLine, line(LINE.length * 3, 'list', 'bullet')),
        b.edit(remove, { index: LINE.length * 3, length: 1 }),
      ]);
      await session.agree();
      await Promise.all([a.edit(formatLine, line(0, 'header', 1)), b.edit(insert, { index: 4, text: 'end' })]);
      await session.agree();
    },
  },
  {
    id: 'delete-all',
    title: 'deleting everything',
    async run(session) {
      const [a, b] = users(session);
      await a.edit(insert, { index: 0, text: LINES });
      await session.agree();
      await Promise.all([a.edit(removeAll, null), b.edit(insert, { index: 10, text: 'meanwhile' })]);
      await session.agree();
      await Promise.all([a.edit(removeAll, null), b.edit(removeAll, null)]);
      expectEqual(await session.agree(), '\n', 'what is left');
      await Promise.all([a.edit(insert, { index: 0, text: 'again' }), b.edit(insert, { index: 0, text: 'anew' })]);
      expectHolds(await session.agree(), 'again', 'anew');
    },
  },
  {
    id: 'reload',
    title: 'a reload of the page',
    async run(session) {
      const [a, b] = users(session);
      await a.edit(insert, { index: 0, text: 'kept over the reload' });
      await a.edit(format, { index: 0, length: 4, formats: { bold: true } });
      await session.agree();
      await b.reload();
      await b.edit(insert, { index: 0, text: 'back ' });
      expectHolds(await session.agree(), 'back kept over the reload');
    },
  },
  {
    id: 'late-joiner',
    title: 'a client that joins late sees the same',
    async run(session) {
      const [a] = users(session);
      await a.edit(insert, { index: 0, text: 'written before ' });
      await session.agree();
      const late = await session.join();
      expectHolds(await session.agree(), 'written before ');
      await Promise.all([late.edit(insertAtEnd, ' late words'), a.edit(insertAtEnd, ' early words')]);
      expectHolds(await session.agree(), ' late words', ' early words');
    },
  },
  authorLeaves,
  allLeave,
  {
    id: 'random',
    title: `${RANDOM_USERS} users × ${CHECK_SIZES.full.randomEdits} random concurrent edits (--brief: ${CHECK_SIZES.brief.randomEdits})`,
    async run(session) {
      while (session.clients.length < RANDOM_USERS) await session.join();
      await users(session)[0].edit(insert, { index: 0, text: LINES });
      const before = (await session.agree()).length;
      const counts = await Promise.all(
        session.clients.map((client) => {
          const edits: RandomEdit[] = randomEdits(session.generator, session.size.randomEdits);
          return client.edit(typeAtRandom, edits);
        }),
      );
      const { length } = await session.agree();
      const least = counts.reduce((sum, { inserted, deleted }) => sum + inserted - deleted, before);
      if (length < least) throw new Violation(`${least - length} inserted characters are lost`);
    },
  },
  manyAuthors,
  presence,
];

const LINE = 'A line to be formatted.\n';
const LINES = LINE.repeat(INLINE_FORMATS.length + BLOCK_FORMATS.length);

function line(index: number, name: string, value: unknown): FormatArguments {
  return { index, length: 1, formats: { [name]: value } };
}
