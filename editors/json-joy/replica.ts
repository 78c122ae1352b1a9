/** A model and its last patches: the library merges patches, but no models, and a whole document is to reach others, too. */
import { Model } from 'json-joy/lib/json-crdt/index.js';
import { quill } from 'json-joy/lib/json-crdt-extensions/quill-delta/index.js';
import { combine } from 'json-joy/lib/json-crdt-patch/compaction.js';
import { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { applyInCausalOrder, endOf, isKnown } from './received.ts';
import { type Clock, covers, LastMessages, type WholeDocument, wholeDocumentOf } from './whole-document.ts';

/** As wide as the session of any first author: 53 bits, drawn once. */
const SEED_SESSION = 6_917_530_284_119_463;

/** The beginning of every replica: two documents that were made apart would be two. */
export const EMPTY = makeEmpty();

function makeEmpty(): Uint8Array {
  const model = Model.create(quill.new('\n'), SEED_SESSION);
  model.api.flush();
  return model.toBinary();
}

export class Replica {
  /** Another one after a `receive` of a document that is far ahead. */
  model: Model;
  #last: LastMessages;
  #waiting: Patch[] = [];
  /** Own changes to former models that no message holds yet. */
  readonly #unsent: Patch[] = [];
  /** Where the last own patch ended. */
  #ownEnd = 0;
  /** True if whole documents are in it. */
  #isMerged: boolean;

  /**
   * @param saved   see `toSaved`
   * @param session of its own changes; absent if it makes none
   */
  constructor(saved: Uint8Array, session?: number) {
    const whole = wholeDocumentOf(saved);
    this.#isMerged = whole !== null;
    this.model = Model.load(whole?.state ?? saved, session);
    this.#last = new LastMessages(() => this.#clock(), whole);
    this.#apply(unknownTo(this.model, whole?.messages ?? []));
  }

  /** @returns own changes since the last call, as one patch; null: none */
  takePatch(): Uint8Array | null {
    const parts = [...this.#unsent.splice(0), this.model.api.flush()].filter(({ ops }) => ops.length > 0);
    const [patch] = parts;
    if (patch === undefined) return null;
    combine(parts);
    this.#ownEnd = endOf(patch);
    const message = patch.toBinary();
    this.#last.add(message);
    return message;
  }

  /** Takes in patches and whole documents, whatever of them it has. */
  receive(messages: readonly Uint8Array[]): void {
    for (const message of messages) {
      const whole = wholeDocumentOf(message);
      this.#isMerged ||= whole !== null;
      if (whole !== null && !covers(this.#clock(), whole.since)) this.#beginWith(whole);
      else for (const each of whole?.messages ?? [message]) this.#take(each);
    }
  }

  /** All of it as one message; `takePatch` has nothing left. */
  toMessage(): Uint8Array {
    return this.#last.withState(this.model.toBinary());
  }

  /** The state for a newcomer. Of whole documents it has the last messages, too: the next may lack some, and be ahead in others. */
  toSaved(): Uint8Array {
    return this.#isMerged ? this.toMessage() : this.model.toBinary();
  }

  /** Puts its own last patches on a model that holds what never came here. */
  #beginWith(whole: WholeDocument): void {
    this.#unsent.push(this.model.api.flush());
    const held = new Set(whole.messages.map(String));
    const messages = this.#last.all().filter((message) => !held.has(String(message)));
    this.model = Model.load(whole.state, this.model.clock.sid);
    this.#last = new LastMessages(() => this.#clock(), whole);
    this.#apply(unknownTo(this.model, whole.messages));
    for (const message of messages) this.#take(message, true);
    this.#apply(this.#unsent);
  }

  /** @param maybeLacksOwn true if the model may lack own patches, too; applying one again changes nothing */
  #take(message: Uint8Array, maybeLacksOwn = false): void {
    const patch = Patch.fromBinary(message);
    const isOwn = patch.getId()?.sid === this.model.clock.sid;
    if (isOwn ? !maybeLacksOwn : isKnown(patch, this.model)) return;
    this.#apply([patch]);
    this.#last.add(message);
  }

  #apply(patches: readonly Patch[]): void {
    this.#waiting = applyInCausalOrder(this.model, [...this.#waiting, ...patches]);
  }

  #clock(): Clock {
    const { sid: own, peers } = this.model.clock;
    const others = [...peers.values()].filter(({ sid }) => sid !== own && sid !== SEED_SESSION);
    return { ...Object.fromEntries(others.map(({ sid, time }) => [sid, time])), [own]: this.#ownEnd - 1 };
  }
}

function unknownTo(model: Model, messages: readonly Uint8Array[]): Patch[] {
  return messages.map((message) => Patch.fromBinary(message)).filter((patch) => !isKnown(patch, model));
}
