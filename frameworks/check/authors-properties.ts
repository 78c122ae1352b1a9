/** Authors who come, write, and leave as soon as somebody else sees what they wrote. */
import { setTimeout as pause } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import type { Session } from '../../editors/base/page/session.ts';
import { severalAtOnce } from '../../infra/several-at-once.ts';
import { insertAtEnd } from './client.ts';
import { type ConformanceSession, expectEqual, type Property, seconds, tooSlow, users, Violation } from './session.ts';

const FEW = 3;
/** More than any published trial had, in a longer document. It grows at last, since each join costs as much as it is long. */
export const MANY_AUTHORS = { authors: 300, characters: 150_000 };
const WRITE_MUCH = 30;
const AT_ONCE = 6;
/** Longer than users may take to agree elsewhere: the document is long, and everybody at once. */
const SEEN_LIMIT_MS = 30_000;
const SENTENCE = 'Somebody comes, pastes some lines, types a little, and leaves.\n';

export const authorLeaves: Property = {
  id: 'author-leaves',
  title: 'what others saw is still there when its author has left at once',
  async run(session) {
    const texts = await Array.fromAsync({ length: FEW }, (_, author) =>
      writeAndLeave(session, { author: `early ${author}`, sentences: 1, place: 0 }),
    );
    const late = await session.join();
    expectOnce(await session.agree(), texts);
    await session.part(late);
  },
};

/** Longer than a server takes to notice that the last one left. */
const GONE_MS = 1000;

export const allLeave: Property = {
  id: 'all-leave',
  title: 'what all agreed on is still there when all have left and somebody comes',
  async run(session) {
    const count = session.clients.length;
    await users(session)[0].edit(insertAtEnd, '\nwritten before all left');
    const text = await session.agree();
    for (const client of [...session.clients]) await session.part(client);
    await pause(GONE_MS);
    while (session.clients.length < count) await session.join();
    expectEqual(await session.agree(), text, 'the document of who came when all had left');
  },
};

export const manyAuthors: Property = {
  id: 'many-authors',
  title: `${MANY_AUTHORS.authors} authors, ${AT_ONCE} at a time, who write ${MANY_AUTHORS.characters / 1000},000 characters, then a late client`,
  isLong: true,
  async run(session) {
    const { characters, authors: many } = session.size;
    const much = Math.ceil(characters / WRITE_MUCH / SENTENCE.length);
    const authors = Array.from({ length: many }, (_, author) => ({
      author: `${author}`,
      sentences: author < many - WRITE_MUCH ? 1 : much,
      place: prng.real53(session.generator),
    }));
    const texts = await severalAtOnce(authors, AT_ONCE, (author) => writeAndLeave(session, author));
    expectOnce(await session.agree(), texts);
    const late = await session.join();
    expectOnce(await session.agree(), texts);
    const [a, b] = users(session);
    const last = ['a word of a', 'a word of b', 'a word of who came late'];
    await Promise.all([a, b, late].map((client, index) => client.edit(insertAtEnd, `\n${last[index]}`)));
    expectOnce(await session.agree(), [...texts, ...last]);
    await session.part(late);
  },
};

interface Author {
  author: string;
  sentences: number;
  /** As a share of the document. */
  place: number;
}

/** An author joins at the side of one of two users. @returns the text that it leaves in the document */
async function writeAndLeave(session: ConformanceSession, { author, sentences, place }: Author): Promise<string> {
  const written = {
    start: `Author ${author}: `,
    pasted: SENTENCE.repeat(sentences),
    typed: `words of ${author}`,
    place,
  };
  const who = prng.oneOf(session.generator, [...users(session)]);
  const seenMs = await who.evaluate(write, { ...written, limitMs: 2 * SEEN_LIMIT_MS });
  const what = `nobody saw what author ${author} wrote`;
  if (seenMs === null) throw new Violation(`after ${seconds(2 * SEEN_LIMIT_MS)} s ${what}`);
  if (seenMs > SEEN_LIMIT_MS) throw tooSlow(`after ${seconds(SEEN_LIMIT_MS)} s ${what}`, seenMs);
  return `${written.start}${written.pasted}${written.typed}\n`;
}

/** @throws Violation if a part is missing, or there twice */
export function expectOnce(text: string, parts: readonly string[]): void {
  for (const part of parts) {
    const times = text.split(part).length - 1;
    if (times !== 1)
      throw new Violation(`of ${text.length} characters, ${times} times, not once: "${part.slice(0, 40)}…"`);
  }
}

interface Written {
  start: string;
  pasted: string;
  typed: string;
  place: number;
  limitMs: number;
}

/**
 * Runs in the page, whose own user is who sees it. Each author writes before another's start, and then between its own
 * letters only: the order of what two write at one place is the library's choice.
 *
 * @returns ms until it was seen; null: not within the limit
 */
async function write(session: Session, { start, pasted, typed, place, limitMs }: Written): Promise<number | null> {
  const { editor, replica, lost } = await session.joinBeside();
  const text = editor.getText();
  let end = text.indexOf('\nAuthor ', Math.floor(place * text.length)) + 1;
  const put = (words: string) => {
    editor.insertText(end, words, 'user');
    end += words.length;
  };
  put(`${start}\n`);
  end--;
  put(`${pasted}deleted again`);
  end -= 'deleted again'.length;
  editor.deleteText(end, 'deleted again'.length, 'user');
  for (const key of typed) put(key);
  editor.formatText(end - typed.length, typed.length, { bold: true }, 'user');
  const isSeen = () => session.editor.getText().includes(`${start}${pasted}${typed}\n`);
  const startMs = performance.now();
  const seen = async () => {
    while (!isSeen()) {
      if (performance.now() - startMs > limitMs) return null;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return performance.now() - startMs;
  };
  const seenMs = await Promise.race([seen(), lost]);
  await replica.leave();
  return seenMs;
}
