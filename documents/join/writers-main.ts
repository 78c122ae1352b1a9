/** The process of users without a browser: they fill documents and then type into them, all on one thread. */
import type { FrameworkClient } from '../../editors/base/framework.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { loadClient } from '../../frameworks/framework.ts';
import { answerCalls } from '../../infra/process/answers.ts';
import { severalAtOnce } from '../../infra/several-at-once.ts';
import { messageOf } from '../../results/user-error.ts';
import { type Edits, readEdits } from '../replay/edits.ts';
import { SubjectFailure } from '../scenario.ts';
import type { Place } from './held-document.ts';
import { Writer, WrittenDocument } from './written-document.ts';

/** So many documents are filled at once: more than one, since each waits for its server now and then. */
const FILLED_AT_ONCE = 4;
/** Idle users join so many at a time. */
const JOINED_AT_ONCE = 8;
/** How often it is looked which keys are due: no key is later than that by the schedule's fault. */
const TICK_MS = 10;

interface Options {
  framework: string;
  /** As `writeEdits` makes it. */
  edits: string;
  /** By their numbers in the trial. */
  documents: Record<number, Place>;
}

let options: Options;
let client: FrameworkClient;
let edits: Edits;
const documents = new Map<number, WrittenDocument>();
const idle: Writer[] = [];
const typed = { due: 0, typed: 0 };
/** Why a user has no server any more: whatever is called for next says so. */
let lost: string | null = null;
const onLost = (reason: string) => {
  lost ??= reason;
};
// A library that throws in its own timer has lost its user, which is the library's failure and not the machine's.
process.on('uncaughtException', (error) => onLost(`it threw: ${messageOf(error)}`));

const calls = {
  async start(given: Options) {
    options = given;
    client = await loadClient(await findFramework(options.framework));
    edits = await readEdits(options.edits);
  },
  /**
   * Each document's first user makes all edits, and a second one proves that the server has them.
   *
   * @param typists how many users of each document stay, to type later; of none the first stays all the same
   * @throws SubjectFailure `out-of-time` if that takes longer than `limitMs`
   */
  async fill(limitMs: number, typists = 0) {
    const deadline = { limitMs, endMs: performance.now() + limitMs };
    await severalAtOnce(Object.entries(options.documents), FILLED_AT_ONCE, async ([number, place]) => {
      documents.set(Number(number), await WrittenDocument.fill({ client, place, edits, typists, deadline, onLost }));
    });
    requireServer();
  },
  /** So many users of each document type from now on. */
  async type(typists: number, keysPerSecond: number) {
    const characters = [...edits.endContent];
    const startMs = performance.now();
    for (const [number, document] of documents) {
      document.startTyping({ typists, keysPerSecond, characters, number, startMs });
    }
    setInterval(() => {
      const nowMs = performance.now();
      for (const document of documents.values()) {
        const counts = document.type(nowMs);
        typed.due += counts.due;
        typed.typed += counts.typed;
      }
    }, TICK_MS);
  },
  /** How many keys were due since then, and how many were typed. */
  async typed() {
    requireServer();
    return typed;
  },
  /** Of the first user's editor. */
  lengthOf: async (number: number) => documentOf(number).author.editor.getLength(),
  /** Its first user types this at once. */
  insert: async (number: number, text: string) => documentOf(number).author.insert(text),
  /** Nobody types into it until `resume`. */
  pause: async (number: number) => documentOf(number).pause(),
  resume: async (number: number) => documentOf(number).resume(),
  held: async (number: number) => documentOf(number).held(),
  /** So many further users open its first document, and do nothing. */
  async open(count: number) {
    const [place] = Object.values(options.documents);
    await severalAtOnce(Array.from({ length: count }), JOINED_AT_ONCE, async () => {
      idle.push(await Writer.join(client, place!, onLost));
    });
    requireServer();
  },
  /** Everyone leaves. */
  async leave() {
    const writers = [...idle, ...documents.values().flatMap((document) => document.writers)];
    await Promise.all(writers.map(({ replica }) => replica.leave()));
  },
};
export type WriterCalls = typeof calls;
answerCalls(calls);

function documentOf(number: number): WrittenDocument {
  requireServer();
  return documents.get(number)!;
}

/** @throws SubjectFailure if a user has lost it */
function requireServer(): void {
  if (lost !== null) throw new SubjectFailure('client-lost', `a user who types is lost: ${lost}`);
}
