/**
 * A whole document as one message, for a library that does not merge any two saved states. It holds the state, and the last
 * messages: who has all before those takes them in one by one, anyone else the state.
 */
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';

/** How much of each author's work a document holds, in numbers that grow. */
export type Clock = Readonly<Record<string, number>>;

export interface WholeDocument {
  state: Uint8Array;
  /** The clock of a document to which the messages can be applied. */
  since: Clock;
  messages: Uint8Array[];
}

/** First byte of such a message. The library's own must begin with another. */
const WHOLE = 0;

/** More than are on the way when a relay ends; at most twice as many are kept. */
const KEPT_MESSAGES = 1000;

/** The last messages of a document, its own and the others'. */
export class LastMessages {
  readonly #clock: () => Clock;
  #former: Omit<WholeDocument, 'state'>;
  #latter: Omit<WholeDocument, 'state'>;

  /** @param clock of the document as it is at the call */
  constructor(clock: () => Clock) {
    this.#clock = clock;
    this.#former = { since: clock(), messages: [] };
    this.#latter = { ...this.#former, messages: [] };
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
    return encoding.encode((encoder) => {
      encoding.writeUint8(encoder, WHOLE);
      encoding.writeVarString(encoder, JSON.stringify(this.#former.since));
      for (const part of [state, ...this.all()]) encoding.writeVarUint8Array(encoder, part);
    });
  }
}

/** @returns null if the message is one of the library's own */
export function wholeDocumentOf(message: Uint8Array): WholeDocument | null {
  if (message[0] !== WHOLE) return null;
  const decoder = decoding.createDecoder(message.subarray(1));
  const since: Clock = JSON.parse(decoding.readVarString(decoder));
  const state = decoding.readVarUint8Array(decoder);
  const messages: Uint8Array[] = [];
  while (decoding.hasContent(decoder)) messages.push(decoding.readVarUint8Array(decoder));
  return { state, since, messages };
}

/** True if a document with this clock holds all that the other one says. */
export function covers(clock: Clock, other: Clock): boolean {
  return Object.entries(other).every(([author, count]) => (clock[author] ?? -1) >= count);
}
