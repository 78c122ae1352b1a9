/**
 * A framework that keeps what its users type, and agrees on it, but mixes the letters of words that are typed at the same
 * place at once: each letter has a place of its own between its neighbours, as in Logoot (Weiss et al. 2009), and users
 * choose the same places. It knows no formats.
 */
import Delta from 'quill-delta';
import { joinThroughRelay, type RelayedDocument } from '../../editors/base/binding/relayed.ts';
import { relay } from '../../servers/relay.ts';
import type { BrokenFramework } from './broken-framework.ts';

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

interface Letter {
  place: string;
  /** Places may be used again. */
  id: string;
  text: string;
}
type Change = { put: Letter } | { take: string };

export const interleaves: BrokenFramework = {
  client: (user) => ({
    join: (options) => joinThroughRelay('interleaving', createDocument(user), options),
    load: (saved) => contentsOf(JSON.parse(new TextDecoder().decode(saved))),
  }),
  server: relay,
};

function createDocument(user: number): RelayedDocument {
  const letters: Letter[] = [];
  const author = crypto.randomUUID();
  let written = 0;
  let unsent: Change[] = [];

  const put = (letter: Letter): number => {
    const found = letters.findIndex((other) => isBefore(letter, other));
    const index = found === -1 ? letters.length : found;
    letters.splice(index, 0, letter);
    return index;
  };
  const write = (index: number, text: string) => {
    const place = between(letters[index - 1]?.place ?? '', letters[index]?.place ?? null) + DIGITS[user + 1];
    const letter = { place, id: `${author} ${written++}`, text };
    put(letter);
    unsent.push({ put: letter });
  };
  const apply = (change: Change): Delta => {
    if ('put' in change) return new Delta().retain(put(change.put)).insert(change.put.text);
    const index = letters.findIndex(({ id }) => id === change.take);
    if (index === -1) return new Delta();
    letters.splice(index, 1);
    return new Delta().retain(index).delete(1);
  };

  return {
    contents: () => contentsOf(letters),
    change({ ops }) {
      let index = 0;
      for (const { insert, retain, delete: deleted = 0 } of ops) {
        for (const text of typeof insert === 'string' ? insert : '') write(index++, text);
        for (const { id } of letters.splice(index, deleted)) unsent.push({ take: id });
        index += Number(retain ?? 0);
      }
    },
    takeMessage() {
      const message = unsent.length === 0 ? null : new TextEncoder().encode(JSON.stringify(unsent));
      unsent = [];
      return message;
    },
    receive: (messages) =>
      messages
        .flatMap((message): Change[] => JSON.parse(new TextDecoder().decode(message)))
        .reduce((all, change) => all.compose(apply(change)), new Delta()),
    save: () => new TextEncoder().encode(JSON.stringify(letters)),
  };
}

function contentsOf(letters: readonly Letter[]): Delta {
  return new Delta().insert(`${letters.map(({ text }) => text).join('')}\n`);
}

function isBefore(one: Letter, other: Letter): boolean {
  return one.place === other.place ? one.id < other.id : one.place < other.place;
}

/** The first place between two; null: there is no upper one. Neither ends with a 0. */
function between(low: string, high: string | null): string {
  let bound = high;
  for (let place = '', index = 0; ; index++) {
    const from = index < low.length ? DIGITS.indexOf(low[index]!) : 0;
    const to = bound === null ? DIGITS.length : DIGITS.indexOf(bound[index]!);
    if (to - from > 1) return place + DIGITS[from + 1];
    place += DIGITS[from];
    if (from < to) bound = null;
  }
}
