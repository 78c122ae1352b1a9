/**
 * A whole document as one message, for a library that does not merge any two saved states. It holds the state, and the last
 * messages: who has all before those takes them in one by one, anyone else the state.
 */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';

/** How much of each author's work a document holds, in numbers that grow from 0. */
export type Clock = Readonly<Record<string, number>>;

/** Messages in their order. */
interface Stretch {
  /** The clock of a document to which they can be applied. */
  since: Clock;
  messages: Uint8Array[];
}

export interface WholeDocument extends Stretch {
  state: Uint8Array;
  /** The end of its messages. */
  latter: Stretch;
}

/** First byte of such a message. The library's own messages and saved states must begin with another. */
const WHOLE = 127;

/** More than are on the way when a relay ends; at most twice as many are kept. */
const KEPT_MESSAGES = 1000;

/** The last messages of a document, its own and the others'. */
export class LastMessages {
  readonly #clock: () => Clock;
  #former: Stretch;
  #latter: Stretch;

  /**
   * @param clock of the document as it is at the call
   * @param whole document that it begins with; null: none
   */
  constructor(clock: () => Clock, whole: WholeDocument | null = null) {
    this.#clock = clock;
    const { since, messages, latter } = whole ?? { since: clock(), messages: [], latter: null };
    this.#former = { since, messages: messages.slice(0, messages.length - (latter?.messages.length ?? 0)) };
    this.#latter = latter ?? { since, messages: [] };
  }

  /** Keeps a message that the document holds by now, and did not hold before. */
  add(message: Uint8Array): void {
    if (this.#latter.messages.length === KEPT_MESSAGES) {
      this.#former = this.#latter;
      this.#latter = { since: this.#clock(), messages: [] };
    }
    this.#latter.messages.push(message);
  }

  all(): Uint8Array[] {
    return [...this.#former.messages, ...this.#latter.messages];
  }

  /** @param state the document's, by now */
  withState(state: Uint8Array): Uint8Array {
    const [former, latter] = [this.#former, this.#latter];
    return encoding.encode((encoder) => {
      encoding.writeUint8(encoder, WHOLE);
      encoding.writeVarString(encoder, JSON.stringify([former.since, latter.since]));
      encoding.writeVarUint(encoder, former.messages.length);
      for (const part of [state, ...this.all()]) encoding.writeVarUint8Array(encoder, part);
    });
  }
}

/** @returns null if the message is one of the library's own */
export function wholeDocumentOf(message: Uint8Array): WholeDocument | null {
  if (message[0] !== WHOLE) return null;
  const decoder = decoding.createDecoder(message.subarray(1));
  const [since, latterSince]: Clock[] = JSON.parse(decoding.readVarString(decoder));
  const formerLength = decoding.readVarUint(decoder);
  const state = decoding.readVarUint8Array(decoder);
  const messages: Uint8Array[] = [];
  while (decoding.hasContent(decoder)) messages.push(decoding.readVarUint8Array(decoder));
  return { state, since: since!, messages, latter: { since: latterSince!, messages: messages.slice(formerLength) } };
}

/** True if a document with this clock holds all that the other one says. */
export function covers(clock: Clock, other: Clock): boolean {
  return Object.entries(other).every(([author, count]) => (clock[author] ?? 0) >= count);
}
