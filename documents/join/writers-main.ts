/** The process of users without a browser: they fill documents and then type into them, all on one thread. */
import type { FrameworkClient } from '../../editors/base/framework.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { loadClient } from '../../frameworks/framework.ts';
import { answerCalls } from '../../infra/process/answers.ts';
import { severalAtOnce } from '../../infra/several-at-once.ts';
import { type Edits, readEdits } from '../replay/edits.ts';
import { SubjectFailure } from '../scenario.ts';
import type { WriterCalls } from './processes.ts';
import { Writer, WrittenDocument } from './written-document.ts';

/** So many documents are filled at once: more than one, since each waits for its server now and then. */
const FILLED_AT_ONCE = 4;
/** Idle users join so many at a time. */
const JOINED_AT_ONCE = 8;
/** How often it is looked which keys are due: no key is later than that by the schedule's fault. */
const TICK_MS = 10;

type Options = Parameters<WriterCalls['start']>[0];

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

answerCalls<WriterCalls>({
  async start(given) {
    options = given;
    client = await loadClient(await findFramework(options.framework));
    edits = await readEdits(options.edits);
  },
  async fill(limitMs) {
    const { typists } = options;
    const deadline = { limitMs, endMs: performance.now() + limitMs };
    await severalAtOnce(Object.entries(options.documents), FILLED_AT_ONCE, async ([number, place]) => {
      documents.set(Number(number), await WrittenDocument.fill({ client, place, edits, typists, deadline, onLost }));
    });
    requireServer();
  },
  async type() {
    const { typists, keysPerSecond } = options;
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
  async typed() {
    requireServer();
    return typed;
  },
  lengthOf: async (number) => documentOf(number).author.editor.getLength(),
  insert: async (number, text) => documentOf(number).author.insert(text),
  pause: async (number) => documentOf(number).pause(),
  resume: async (number) => documentOf(number).resume(),
  held: async (number) => documentOf(number).held(),
  async open(count) {
    const [place] = Object.values(options.documents);
    await severalAtOnce(Array.from({ length: count }), JOINED_AT_ONCE, async () => {
      idle.push(await Writer.join(client, place!, onLost));
    });
    requireServer();
  },
  async leave() {
    const writers = [...idle, ...documents.values().flatMap((document) => document.writers)];
    await Promise.all(writers.map(({ replica }) => replica.leave()));
  },
});

function documentOf(number: number): WrittenDocument {
  requireServer();
  return documents.get(number)!;
}

/** @throws SubjectFailure if a user has lost it */
function requireServer(): void {
  if (lost !== null) throw new SubjectFailure('client-lost', `a user who types is lost: ${lost}`);
}
