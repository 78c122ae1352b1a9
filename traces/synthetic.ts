/**
 * The synthetic trace: an editing history that nobody typed, made to move like a real one (synthetic-figures.ts).
 * Experiments use it if no recorded trace is at hand; results with it must say so.
 */
import * as prng from 'lib0/prng';
import type { Patch, SequentialTrace } from './format.ts';
import { GapBuffer, textOf } from './gap-buffer.ts';
import { prose } from './prose.ts';
import { JUMP_DISTANCES, JUMPS_BACK, RUN_LENGTHS, type RunKind, STEPS, type Step } from './synthetic-figures.ts';

/** The name under which the trace with the default seed and length is found. */
export const SYNTHETIC_NAME = 'synthetic';
/** Of the first few seeds the one whose share of deletes lies nearest to the measured one. */
const DEFAULT_SEED = 2;
/** Two minutes at 6 keys per second for each of 80 users before two type the same; made in a fraction of a second. */
const DEFAULT_EDITS = 60_000;

/** Tries for a jump's place in the document; after these the jump is not made. */
const JUMP_TRIES = 20;
const LETTERS = 'etaoinshrdlu';

/**
 * Makes the trace: patches of one character each, in the format of the public traces, the same for the same options.
 *
 * @param options.edits at least so many; the last run is finished
 */
export function syntheticTrace({ seed = DEFAULT_SEED, edits = DEFAULT_EDITS } = {}): SequentialTrace {
  const random = prng.create(seed);
  const writer = new Writer(random);
  const decks = {
    insert: new Deck(random, RUN_LENGTHS.insert),
    backspace: new Deck(random, RUN_LENGTHS.backspace),
    delete: new Deck(random, RUN_LENGTHS.delete),
  };
  /** Runs longer than the text wait until there is enough of it. */
  const plan = (step: Step) => ({
    ...step,
    length: decks[step.to].draw((length) => step.to === 'insert' || length < writer.length / 2),
  });

  let run = plan({ to: 'insert', jumps: false, times: 1 });
  while (writer.patches.length < edits) {
    if (run.jumps) writer.jump({ roomAfter: run.to === 'delete' ? run.length : 0 });
    const next = plan(drawStep(random, STEPS[run.to]));
    const corrected = next.to === 'backspace' && !next.jumps;
    if (run.to === 'insert') writer.type(run.length, { wrong: corrected ? next.length : 0 });
    else writer.remove(run.to, run.length);
    run = next;
  }
  const txns = writer.patches.map((patch) => ({ patches: [patch] }));
  return { kind: 'sequential', startContent: '', endContent: writer.text, txns };
}

function drawStep(random: prng.PRNG, steps: readonly Step[]): Step {
  let rest = prng.real53(random) * steps.reduce((sum, step) => sum + step.times, 0);
  for (const step of steps) {
    rest -= step.times;
    if (rest < 0) return step;
  }
  return steps[0]!;
}

/** Values in random order, each as often as the others. */
class Deck {
  readonly #random: prng.PRNG;
  readonly #values: readonly number[];
  #cards: number[] = [];

  constructor(random: prng.PRNG, values: readonly number[]) {
    this.#random = random;
    this.#values = values;
  }

  /** The next card that fits; those that do not, stay. */
  draw(fits: (card: number) => boolean): number {
    let place = this.#cards.findIndex(fits);
    if (place === -1) {
      this.#cards.push(...this.#shuffled());
      place = Math.max(0, this.#cards.findIndex(fits));
    }
    return this.#cards.splice(place, 1)[0]!;
  }

  #shuffled(): number[] {
    const cards = [...this.#values];
    for (let i = cards.length - 1; i > 0; i--) {
      const j = prng.int32(this.#random, 0, i);
      [cards[i], cards[j]] = [cards[j]!, cards[i]!];
    }
    return cards;
  }
}

/** The writer: a cursor in a text, and what is still to be typed. */
class Writer {
  readonly patches: Patch[] = [];
  readonly #random: prng.PRNG;
  readonly #document = new GapBuffer();
  readonly #prose: Generator<string, never>;
  /** Text that was typed wrong and deleted, to be typed again. */
  #again: string[] = [];
  #cursor = 0;

  constructor(random: prng.PRNG) {
    this.#random = random;
    this.#prose = prose(random);
  }

  get length(): number {
    return this.#document.length;
  }

  get text(): string {
    return textOf(this.#document.slice());
  }

  /** Types `length` characters; from the `wrong`-th last on they will be corrected: that one is a slip. */
  type(length: number, { wrong }: { wrong: number }): void {
    const meant = Array.from({ length }, () => this.#again.shift() ?? this.#prose.next().value);
    const slip = length - wrong;
    for (const [index, character] of meant.entries()) {
      this.#insert(index === slip ? prng.oneOf(this.#random, [...LETTERS]) : character);
    }
    if (wrong > 0) this.#again.unshift(...meant.slice(Math.max(0, slip)));
  }

  /** Deletes characters before or after the cursor, as far as there are any. */
  remove(kind: Exclude<RunKind, 'insert'>, length: number): void {
    const available = kind === 'backspace' ? this.#cursor : this.#document.length - this.#cursor;
    for (let i = 0; i < Math.min(length, available); i++) {
      if (kind === 'backspace') this.#cursor--;
      this.#document.splice(this.#cursor, 1, []);
      this.patches.push([this.#cursor, 1, '']);
    }
  }

  /** @param options.roomAfter how many characters must follow the new place */
  jump({ roomAfter }: { roomAfter: number }): void {
    for (let tries = 0; tries < JUMP_TRIES; tries++) {
      const back = prng.real53(this.#random) < JUMPS_BACK;
      const place = this.#cursor + this.#distance() * (back ? -1 : 1);
      if (place < 0 || place + roomAfter > this.#document.length) continue;
      this.#cursor = place;
      return;
    }
  }

  #insert(character: string): void {
    this.#document.splice(this.#cursor, 0, [character.codePointAt(0)!]);
    this.patches.push([this.#cursor, 0, character]);
    this.#cursor++;
  }

  /** By the quantiles, geometrically between them: distances spread over five powers of ten. */
  #distance(): number {
    const place = prng.real53(this.#random) * (JUMP_DISTANCES.length - 1);
    const below = JUMP_DISTANCES[Math.floor(place)]!;
    const above = JUMP_DISTANCES[Math.floor(place) + 1]!;
    return Math.round(below * (above / below) ** (place % 1));
  }
}
