/** Invariants of every world: an application's view, without any assumption about the algorithm. */
import type { Held } from './held.ts';
import type { TextLedger } from './ledger.ts';
import { SIGN_OF_LIFE_MS, type Stage } from './stage.ts';
import { readable } from './world.ts';

/** After each step; once faults are over; once nobody has edited for a while; with a newcomer; long after its edit. */
const MOMENTS = ['always', 'settled', 'rested', 'late', 'long after'] as const;
export type Moment = (typeof MOMENTS)[number];

export interface Invariant {
  id: string;
  title: string;
  at: readonly Moment[];
  /** In a sentence; null: it holds. */
  broken(stage: Stage, seen: Seen): string | null;
}

/** Taken down at the last moment. */
export interface Seen {
  /** Messages on the way while nobody edits, in the time that was looked at. */
  restMessages: number;
  /** The document that the saved state of one user holds; null: the framework cannot load one. */
  saved: string | null;
  /** Empty in most worlds. */
  held: readonly Held[];
}

/** The time that is looked at for messages while nobody edits. */
export const REST_MS = 60_000;

/** Also once a newcomer came, and after many breaks and visits: both may bring old text back, or take some away. */
const IN_TEXT: readonly Moment[] = ['rested', 'late', 'long after'];

export const INVARIANTS: readonly Invariant[] = [
  {
    id: 'sound',
    title: 'nothing is thrown, and no error object is printed',
    at: MOMENTS,
    broken: ({ thrown }) => (thrown.length === 0 ? null : describeError(thrown[0])),
  },
  {
    id: 'quiet',
    title: 'no messages while nobody edits, but signs of life',
    at: MOMENTS,
    broken(stage, { restMessages }) {
      if (stage.isEndless) return `messages never end: ${stage.passages.length} up to now`;
      const most = (REST_MS / SIGN_OF_LIFE_MS) * (stage.here.length + (stage.world.servers?.length ?? 0));
      return restMessages > most ? `${restMessages} messages in ${REST_MS / 1000} s while nobody edits` : null;
    },
  },
  {
    id: 'connected',
    title: 'nobody is cut off for good',
    at: ['settled', 'rested', 'late', 'long after'],
    broken: ({ here }) =>
      here.flatMap(({ name, lost }) => (lost === null ? [] : [`${name} is lost: ${lost}`]))[0] ?? null,
  },
  {
    id: 'join',
    title: 'everybody can join',
    at: ['settled', 'late'],
    broken({ users }) {
      const refused = users.find((user) => user.refused !== null);
      if (refused !== undefined) return `${refused.name} cannot join: ${refused.refused}`;
      const leaving = users.find(({ isLeaving }) => isLeaving);
      if (leaving !== undefined) return `${leaving.name} never gets out of the document, and cannot join again`;
      const waiting = users.find(({ state }) => state === 'joining');
      return waiting === undefined ? null : `${waiting.name} never gets into the document, and is told nothing`;
    },
  },
  {
    id: 'shown',
    title: 'each editor shows its model',
    at: ['settled', 'rested', 'late'],
    broken({ here }) {
      for (const user of here) {
        const { model, editor } = user.shown();
        if (model !== editor) return `the editor of ${user.name} holds ${apart(editor, model)} in its model`;
      }
      return null;
    },
  },
  {
    id: 'whole',
    title: 'text that is replaced goes when what replaces it comes',
    at: ['settled', 'rested'],
    broken: ({ ledger }) => ledger.torn,
  },
  {
    id: 'agree',
    title: 'all replicas agree once the world is quiet',
    at: ['settled', 'rested'],
    broken: whatIsApart,
  },
  {
    id: 'newcomer',
    title: 'a newcomer gets the same document, and what follows',
    at: ['late', 'long after'],
    broken: whatIsApart,
  },
  {
    id: 'kept',
    title: 'no text is missing that somebody who is there typed or saw',
    at: IN_TEXT,
    broken: inText((ledger, text) => ledger.missing(text)),
  },
  {
    id: 'once',
    title: 'no text is doubled, or nobody’s',
    at: IN_TEXT,
    broken: inText((ledger, text) => ledger.invented(text)),
  },
  {
    id: 'deleted',
    title: 'what was deleted stays deleted',
    at: IN_TEXT,
    broken: inText((ledger, text) => ledger.risen(text)),
  },
  {
    id: 'order',
    title: 'text stands in the order in which its author typed it',
    at: IN_TEXT,
    broken: inText((ledger, text) => ledger.reordered(text)),
  },
  {
    id: 'one-connection',
    title: 'everybody has one connection',
    at: ['rested'],
    broken(stage) {
      const { held } = stage.servers;
      return held > stage.here.length ? `the server holds ${held} connections of ${stage.here.length} users` : null;
    },
  },
  {
    id: 'saved',
    title: 'a saved state holds the same document',
    at: ['late'],
    broken(stage, { saved }) {
      const [user] = stage.here;
      if (saved === null || saved === user!.contents()) return null;
      return `the saved state of ${user!.name} holds ${apart(saved, user!.contents())} in its replica`;
    },
  },
  {
    id: 'memory',
    title: 'memory keeps nothing of connections that are gone',
    at: ['long after'],
    broken(_stage, { held: all }) {
      const unseen = all.find(({ of, atLeast }) => of < atLeast);
      if (unseen !== undefined) return `only ${unseen.of} ${unseen.what} were seen, not ${unseen.atLeast}`;
      const kept = all.find(({ atMost, held }) => held > atMost);
      return kept === undefined ? null : `${kept.held} of ${kept.of} ${kept.what} are still in memory`;
    },
  },
];

/** All who are here hold the same text by then; if nobody is, it is owed to nobody. */
function inText(wrong: (ledger: TextLedger, text: string) => string | null): Invariant['broken'] {
  return ({ ledger, here: [first] }) => (first === undefined ? null : wrong(ledger, first.text()));
}

/** @returns null if all who are here hold the same */
export function whatIsApart({ here: [first, ...others] }: Stage): string | null {
  if (first === undefined) return null;
  const held = first.contents();
  for (const other of others) {
    const contents = other.contents();
    if (contents !== held) return `${other.name} holds ${apart(contents, held)} at ${first.name}`;
  }
  return null;
}

const EXCERPT = { before: 12, length: 40 };

/** Two texts around the place where they differ. */
function apart(one: string, other: string): string {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const from = Math.max(0, start - EXCERPT.before);
  const excerpt = (text: string) => `${from > 0 ? '…' : ''}${readable(text.slice(from, from + EXCERPT.length))}`;
  return `${excerpt(one)}, and it is ${excerpt(other)}`;
}

/** Through one line of it come all errors of a library in WebAssembly: it tells none from another. */
const WASM_GLUE = /wasm|__wbg|__wbindgen/;

function describeError(error: unknown): string {
  if (error === undefined) return 'a promise was rejected, or something thrown, without a reason';
  if (!(error instanceof Error)) return String(error);
  const places = [...(error.stack ?? '').matchAll(/\n\s+at (.*)/g)].map(([, place]) =>
    place!.replace(/file:\/\/\S*\/(?=node_modules|editors|servers)/, ''),
  );
  // A native function has no place: many errors come through one.
  const place = places.find((each) => /:\d+:\d+\)?$/.test(each) && !WASM_GLUE.test(each)) ?? places[0];
  return `${error.message}${place === undefined ? '' : ` (${place})`}`;
}
