/** An endless, meaningless, English-like text: sentences of a fixed pattern over a small vocabulary, in paragraphs. */
import * as prng from 'lib0/prng';
import { UserError } from '../results/user-error.ts';
import type { Trace } from './format.ts';

const VOCABULARY = {
  determiner: ['the', 'a', 'this', 'that', 'every', 'another', 'some', 'our', 'their', 'one'],
  adjective: `quiet early narrow patient common heavy plain distant careful bright hollow gentle ordinary steady curious
    faded stubborn small open older northern familiar uneven complete useful`.split(/\s+/),
  noun: `scribe margin lantern letter harbour question window answer journey table chapter garden teacher evening bridge
    cellar reader corner winter machine pattern river notebook promise village measure copy station silence orchard
    argument candle page shoulder weather account kitchen habit mirror engine`.split(/\s+/),
  verb: `follows copies forgets carries mentions gathers repeats crosses explains keeps finds answers measures opens
    describes borrows remembers replaces outlives reaches divides corrects imagines recalls`.split(/\s+/),
  adverb: 'slowly often rarely almost quietly always perhaps soon never gladly'.split(' '),
  preposition: 'behind before near without across under beside through against after'.split(' '),
  conjunction: 'and but while because although until so'.split(' '),
};

/** How often a phrase takes its optional part; chosen so that sentences have about 13 words, as in plain English prose. */
const ODDS = { adjective: 0.4, adverb: 0.2, place: 0.5, secondClause: 0.4 };
const SENTENCES_PER_PARAGRAPH = { least: 3, most: 7 };

/** @returns the text, character by character; it never ends */
export function* prose(random: prng.PRNG): Generator<string, never> {
  for (;;) {
    const sentences = prng.int32(random, SENTENCES_PER_PARAGRAPH.least, SENTENCES_PER_PARAGRAPH.most);
    const paragraph = Array.from({ length: sentences }, () => sentence(random)).join(' ');
    yield* `${paragraph}\n`;
  }
}

function sentence(random: prng.PRNG): string {
  const first = clause(random);
  const rest = maybe(random, ODDS.secondClause, () => `, ${pick(random, 'conjunction')} ${clause(random)}`);
  return `${first[0]!.toUpperCase()}${first.slice(1)}${rest}.`;
}

function clause(random: prng.PRNG): string {
  const subject = thing(random);
  const adverb = maybe(random, ODDS.adverb, () => `${pick(random, 'adverb')} `);
  const action = `${adverb}${pick(random, 'verb')} ${thing(random)}`;
  const place = maybe(random, ODDS.place, () => ` ${pick(random, 'preposition')} ${thing(random)}`);
  return `${subject} ${action}${place}`;
}

function thing(random: prng.PRNG): string {
  const determiner = pick(random, 'determiner');
  const adjective = maybe(random, ODDS.adjective, () => `${pick(random, 'adjective')} `);
  const rest = `${adjective}${pick(random, 'noun')}`;
  return `${determiner === 'a' && /^[aeiou]/.test(rest) ? 'an' : determiner} ${rest}`;
}

function pick(random: prng.PRNG, kind: keyof typeof VOCABULARY): string {
  return prng.oneOf(random, VOCABULARY[kind]);
}

function maybe(random: prng.PRNG, odds: number, make: () => string): string {
  return prng.real53(random) < odds ? make() : '';
}

/** The same prose for every trial of every framework. */
const PROSE_SEED = 7;
/** Small enough for every editor, library and server to take at once. */
const PIECE_CHARACTERS = 10_000;

/**
 * @param options.trace      null: prose
 * @param options.characters how much of it, in UTF-16 units; null: all of the trace, of prose nothing
 * @throws UserError (2) if the trace is shorter
 */
export function startText({ trace, characters }: { trace: Trace | null; characters: number | null }): string {
  if (trace === null)
    return prose(prng.create(PROSE_SEED))
      .take(characters ?? 0)
      .toArray()
      .join('');
  // As every rich-text editor holds it.
  const text = trace.endContent.replaceAll('\r', '');
  if (characters === null) return text;
  if (characters > text.length) {
    const message = `The document cannot begin with ${characters} characters: its trace ends with ${text.length}. Write less in "start.characters".`;
    throw new UserError(message);
  }
  const cut = text.slice(0, characters);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Pieces that are pasted one after the other, none with half a character. */
export function* piecesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + PIECE_CHARACTERS);
    const whole = piece.isWellFormed() ? piece : piece.slice(0, -1);
    yield whole;
    from += whole.length;
  }
}
