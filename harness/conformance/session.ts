/** A session of the conformance suite: the clients of one document, and the question whether they agree. */
import * as prng from 'lib0/prng';
import type { Link } from '../../infra/network/link.ts';
import { type Client, type ClientOptions, type ClientState, openClient } from './client.ts';

/** How long clients may take to agree; an edit needs two lines and two batches, far less than a second. */
const AGREE_LIMIT_MS = 10_000;
const LOOK_PERIOD_MS = 20;
/** Lines are long enough that edits made together cross, and uneven, so that edits overtake one another. */
const LINK: Link = { oneWayDelayMs: 20, jitterMs: 15, bandwidthBytesPerSecond: null };
/** Seeds are 32-bit numbers. */
const LARGEST_SEED = 2 ** 31;
/** How much of a document a message shows around the place where two differ. */
const EXCERPT_CHARACTERS = 60;

/** A property does not hold; the message is for people. */
export class Violation extends Error {
  override name = 'Violation';
}

export interface ConformanceSession {
  /** Everybody here, in the order in which they came. */
  clients: readonly Client[];
  generator: prng.PRNG;
  join(): Promise<Client>;
  /**
   * Waits until model equals editor equals screen at each client, and all documents are equal.
   *
   * @returns the document's text
   * @throws Violation where that does not come to pass
   */
  agree(): Promise<string>;
  /** What saved states loaded into at each agreement so far; null: nothing can be loaded. */
  savedStatesHold(): boolean | null;
  close(): Promise<void>;
}

export function openSession(options: Omit<ClientOptions, 'link'>): ConformanceSession {
  const { seed, ...deskOptions } = options;
  const generator = prng.create(seed);
  const clients: Client[] = [];
  let saved: boolean | null = null;
  const complaint = (states: readonly ClientState[]): string | null => {
    const [first] = states as [ClientState];
    for (const [index, state] of states.entries()) {
      if (state.editorDigest !== state.shownModelDigest) {
        return `the editor of client ${index} differs from its model: ${difference(state.contents.editor, state.contents.model)}`;
      }
      if (state.screenTextDigest !== state.editorTextDigest) {
        return `the screen of client ${index} shows other text than its editor holds`;
      }
      if (state.modelDigest !== first.modelDigest) {
        return `client ${index} differs from client 0: ${difference(state.contents.model, first.contents.model)}`;
      }
    }
    return null;
  };
  return {
    clients,
    generator,
    async join() {
      const client = await openClient({ ...deskOptions, link: LINK, seed: prng.uint32(generator, 0, LARGEST_SEED) });
      clients.push(client);
      return client;
    },
    async agree() {
      const untilMs = performance.now() + AGREE_LIMIT_MS;
      while (true) {
        const fault = clients.flatMap((client) => client.faults())[0];
        if (fault !== undefined) throw new Violation(`an error in the page: ${fault}`);
        const states = await Promise.all(clients.map((client) => client.state()));
        const wrong = complaint(states);
        if (wrong === null) {
          if (states.every(({ savedDigest }) => savedDigest !== null)) {
            saved = (saved ?? true) && states.every(({ savedDigest, modelDigest }) => savedDigest === modelDigest);
          }
          return clients[0]!.edit((editor) => editor.getText(), null);
        }
        if (performance.now() > untilMs) throw new Violation(`after ${AGREE_LIMIT_MS / 1000} s ${wrong}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_PERIOD_MS));
      }
    },
    savedStatesHold: () => saved,
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** Where two documents part, with what each has there. */
function difference(one: string, other: string): string {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const from = Math.max(0, start - EXCERPT_CHARACTERS / 2);
  const excerpt = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT_CHARACTERS)}`;
  return `${excerpt(one)} against ${excerpt(other)}`;
}
