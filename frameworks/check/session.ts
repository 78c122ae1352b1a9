/** A session of the conformance suite: the clients of one document, the question whether they agree, and what a property of it is. */
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import type { SessionState } from '../../editors/base/page/session.ts';
import type { Link } from '../../infra/network/link.ts';
import { type Client, type ClientOptions, openClient } from './client.ts';

/** How long clients may take to agree. An edit crosses two links and waits in two batches: far less than a second. */
export const AGREE_LIMIT_MS = 10_000;
const LOOK_PERIOD_MS = 40;
/** Each look takes the pages' time: the longer it took so far, the longer until the next. */
const LOOK_SHARE = 0.1;
/** Long enough that edits made together cross on the way, and uneven, so that edits overtake one another. */
const LINK: Link = { oneWayDelayMs: 20, jitterMs: 15, bandwidthBytesPerSecond: null };
/** Seeds are 32-bit numbers. */
const LARGEST_SEED = 2 ** 31;
/** How much of a document a message shows around the place where two differ. */
const EXCERPT_CHARACTERS = 60;

/** A property does not hold; the message is for people. */
export class Violation extends Error {
  override name = 'Violation';
}

/** There is nothing that a property could be true of; the document is as it was. */
export class NotSupported extends Error {
  override name = 'NotSupported';
}

/** How much the longest properties do. */
export interface CheckSize {
  /** Random edits of each user, in `random`. */
  randomEdits: number;
  /** Those of `many-authors`, and the least that they write together. */
  authors: number;
  characters: number;
}

/** A property that holds in the end, but too late. */
export function tooSlow(what: string, tookMs: number): Violation {
  return new Violation(`too slow: ${what}; it took ${seconds(tookMs)} s`);
}

export function seconds(ms: number): number {
  return Number((ms / 1000).toPrecision(2));
}

type SessionOptions = Omit<ClientOptions, 'link' | 'name'> & {
  agreeLimitMs: number;
  hasPresence: boolean;
  size: CheckSize;
};

/** Clients of one document; they come one by one. */
export class ConformanceSession {
  readonly generator: prng.PRNG;
  readonly #agreeLimitMs: number;
  readonly #options: Omit<ClientOptions, 'link' | 'seed' | 'name'>;
  readonly #clients: Client[] = [];
  #came = 0;
  #savedStatesHold: boolean | null = null;

  /** True if its clients see one another's cursors. */
  readonly hasPresence: boolean;
  readonly size: CheckSize;

  constructor({ seed, agreeLimitMs, hasPresence, size, ...options }: SessionOptions) {
    this.size = size;
    this.#agreeLimitMs = agreeLimitMs;
    this.hasPresence = hasPresence;
    this.generator = prng.create(seed);
    this.#options = options;
  }

  /** In the order in which they came. */
  get clients(): readonly Client[] {
    return this.#clients;
  }

  /** True if each saved state so far loaded into the document that it was saved from; null if none can be loaded. */
  get savedStatesHold(): boolean | null {
    return this.#savedStatesHold;
  }

  async join(): Promise<Client> {
    const seed = prng.uint32(this.generator, 0, LARGEST_SEED);
    const name = `User ${this.#came++}`;
    const presence = this.hasPresence ? { name, colour: 'blue' } : undefined;
    const options = { ...this.#options, session: { ...this.#options.session, presence } };
    const client = await openClient({ ...options, name, link: LINK, seed });
    this.#clients.push(client);
    return client;
  }

  async part(client: Client): Promise<void> {
    this.#clients.splice(this.#clients.indexOf(client), 1);
    await client.close();
  }

  /**
   * Waits until nothing is wrong. After the limit it waits as long again, to tell what is too slow from what never agrees.
   *
   * @param whatIsWrong null: nothing
   * @param explain more of what is wrong, asked at the end only
   * @throws Violation with what was wrong at the limit, or still is
   */
  async until(whatIsWrong: () => Promise<string | null>, explain = async () => ''): Promise<void> {
    const startMs = performance.now();
    const limitMs = this.#agreeLimitMs;
    let late: string | null = null;
    for (let wrong = await whatIsWrong(); wrong !== null; wrong = await whatIsWrong()) {
      const tookMs = performance.now() - startMs;
      if (tookMs > 2 * limitMs) throw new Violation(`after ${seconds(tookMs)} s ${wrong}${await explain()}`);
      if (tookMs > limitMs) late ??= wrong;
      await setTimeout(Math.max(LOOK_PERIOD_MS, LOOK_SHARE * tookMs));
    }
    if (late !== null) throw tooSlow(`${late} after ${seconds(limitMs)} s`, performance.now() - startMs);
  }

  /**
   * Waits until model equals editor equals screen at each client, and all documents are equal.
   *
   * @returns the document's text
   * @throws Violation if they still differ at the limit, or something went wrong in a page
   */
  async agree(): Promise<string> {
    let states: SessionState[] = [];
    let apart: Disagreement | null = null;
    await this.until(
      async () => {
        const fault = this.#clients.flatMap((client) => client.faults())[0];
        if (fault !== undefined) throw new Violation(`an error in the page: ${fault}`);
        states = await Promise.all(this.#clients.map((client) => client.state()));
        apart = disagreement(states);
        return apart?.what ?? null;
      },
      async () => (apart === null ? '' : await this.#excerpts(apart)),
    );
    await this.#noteSavedStates(states);
    return this.#clients[0]!.edit((editor) => editor.getText(), null);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  /** Both documents of a disagreement, around the place where they differ. */
  async #excerpts({ client, than }: Disagreement): Promise<string> {
    const [one, first] = await Promise.all([this.#clients[client]!.contents(), this.#clients[0]!.contents()]);
    if (than === 'its model') return `: ${difference(one.editor, one.model)}`;
    return than === 'client 0' ? `: ${difference(one.model, first.model)}` : '';
  }

  async #noteSavedStates(states: readonly SessionState[]): Promise<void> {
    const saved = await Promise.all(this.#clients.map((client) => client.savedDigest()));
    if (saved.includes(null)) return;
    const hold = states.every(({ modelDigest }, index) => saved[index] === modelDigest);
    this.#savedStatesHold = (this.#savedStatesHold ?? true) && hold;
  }
}

interface Disagreement {
  /** For people. */
  what: string;
  /** The place of a client whose document differs, and from which. */
  client: number;
  than: 'its model' | 'its editor' | 'client 0';
}

/** The first difference between states that should be equal; null if there is none. */
function disagreement(states: readonly SessionState[]): Disagreement | null {
  const first = states[0]!;
  for (const [client, state] of states.entries()) {
    if (state.editorDigest !== state.shownModelDigest) {
      return { client, than: 'its model', what: `the editor of client ${client} differs from its model` };
    }
    if (state.screenTextDigest !== state.editorTextDigest) {
      return {
        client,
        than: 'its editor',
        what: `the screen of client ${client} shows other text than its editor holds`,
      };
    }
    if (state.modelDigest !== first.modelDigest) {
      return { client, than: 'client 0', what: `client ${client} differs from client 0` };
    }
  }
  return null;
}

/** An excerpt of each document from shortly before the first difference. */
function difference(one: string, other: string): string {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const from = Math.max(0, start - EXCERPT_CHARACTERS / 2);
  const excerpt = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT_CHARACTERS)}`;
  return `${excerpt(one)} against ${excerpt(other)}`;
}

/** A property that must hold in a session. */
export interface Property {
  /** As on the command line, in the table, and in a framework's known issues. */
  id: string;
  title: string;
  /** True if its clients see one another's cursors; they then have a session of their own. */
  needsPresence?: boolean;
  /** True if it takes up to a minute; `--brief` leaves it out. */
  isLong?: boolean;
  run(session: ConformanceSession): Promise<void>;
}

/** The first two of a session. */
export function users({ clients }: ConformanceSession) {
  return clients as readonly [Client, Client];
}

export function expectHolds(text: string, ...parts: readonly string[]): void {
  const absent = parts.find((part) => !text.includes(part));
  if (absent === undefined) return;
  throw new Violation(`the document has no ${JSON.stringify(absent)}: ${JSON.stringify(text)}`);
}

export function expectEqual(seen: unknown, wanted: unknown, what: string): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (one !== other) throw new Violation(`${what}: ${one} instead of ${other}`);
}
