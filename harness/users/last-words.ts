/** The hand-in of a user when a trial is over: the last lines of its record, and its document. Before: its page's errors. */
import { constants, createDeflateRaw } from 'node:zlib';
import type { EditAccount } from '../../editors/base/instrument/ledger.ts';
import type { MessageSample } from '../../editors/base/instrument/traffic.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import type { EditorDriver, EditorDriverContents } from './editor-driver.ts';

interface LastWords {
  lines: RecordLine[];
  /** Null if the driver cannot tell. */
  documents: EditorDriverContents & { savedState: string | null };
}

/** One user is enough to join beside: it gets the document from the server, which is the same for all. Its hand-in is the last. */
const USER_WITH_NEWCOMER = 0;
/** Its page keeps messages; the others' are alike. */
const USER_WITH_MESSAGES = 0;

interface About {
  user: number;
  /** The length of all that it typed, in UTF-16 units, and the hash of that. */
  typed: { characters: number; hash: number };
  /** Its client gave up: what its library cannot hand out any more is not known then. */
  isAlone: boolean;
  /** The time on the clock of the record. */
  recordMs: () => number;
}

/** @throws what the driver throws */
export async function lastWords(driver: EditorDriver, about: About): Promise<LastWords> {
  const { user, typed, isAlone, recordMs } = about;
  const unlessAlone = (error: unknown) => {
    if (!isAlone) throw error;
    return null;
  };
  const messages = user === USER_WITH_MESSAGES ? ((await driver.messages?.()) ?? null) : null;
  const [state, own, samples, sigils, others, contents, savedState] = await Promise.all([
    driver.state(),
    driver.ownEdits?.() ?? null,
    driver.textSamples?.() ?? null,
    driver.ownSigils?.() ?? null,
    driver.cursorNames?.() ?? null,
    driver.contents?.() ?? { model: null, editor: null },
    driver.savedStateBase64?.().catch(unlessAlone) ?? null,
  ]);
  // Before anything is loaded to be compared.
  const heapBytes = (await driver.heapBytes?.()) ?? null;
  const heapAtMs = recordMs();
  const wasmBytes = await driver.wasmBytes?.();
  const copies =
    (await driver
      .copies?.({ withNewcomer: user === USER_WITH_NEWCOMER, newcomerStays: !isAlone })
      .catch(unlessAlone)) ?? null;
  const atMs = recordMs();
  const lines: RecordLine[] = [];
  if (own !== null) lines.push({ ...accountLine(own, atMs), typedHash: typed.hash });
  if (samples !== null) lines.push({ type: 'text-samples', atMs, samples });
  if (sigils !== null) lines.push({ type: 'own-sigils', atMs, sigils });
  if (others !== null) lines.push({ type: 'cursors-seen', atMs, others: new Set(others).size });
  if (heapBytes !== null) lines.push({ type: 'page-memory', atMs: heapAtMs, heapBytes, wasmBytes });
  if (messages !== null) lines.push(await compressionLine(messages, atMs));
  if (copies !== null) lines.push({ type: 'copies', atMs, ...copies });
  lines.push({
    type: 'settled',
    atMs,
    ...state,
    insertedCharacters: own?.insertedCharacters ?? null,
    deletedCharacters: own?.deletedCharacters ?? null,
    typedCharacters: typed.characters,
    savedStateBytes: savedState === null ? null : Buffer.byteLength(savedState, 'base64'),
    quillStateBytes: contents.editor === null ? null : Buffer.byteLength(contents.editor),
  });
  return { lines, documents: { ...contents, savedState } };
}

async function compressionLine({ sent, received }: MessageSample, atMs: number): Promise<RecordLine> {
  const compressed = (messages: string[]) => compressedAlone(messages.map((message) => Buffer.from(message, 'base64')));
  const { bytes: sentBytes, deflatedBytes: deflatedSentBytes } = await compressed(sent);
  const { bytes: receivedBytes, deflatedBytes: deflatedReceivedBytes } = await compressed(received);
  return { type: 'compression', atMs, sentBytes, deflatedSentBytes, receivedBytes, deflatedReceivedBytes };
}

/** A user's account as a line of its record. What went in and out in all is in the line `settled`, as it always was. */
export function accountLine(own: EditAccount, atMs: number): RecordOf<'account'> {
  const { insertedCharacters: _in, deletedCharacters: _out, ...account } = own;
  return { type: 'account', atMs, ...account };
}

/** Length of the end of a sync flush, which `permessage-deflate` leaves out (RFC 7692, section 7.2.1). */
const TAIL_BYTES = 4;

/**
 * As `permessage-deflate` works unless told otherwise (RFC 7692): each message by itself, at zlib's default level, with up to
 * 32 KiB that came before on the connection as its context. The first half of the messages only fills that context.
 *
 * @param messages payloads in one direction, in their order
 * @returns sums over the second half
 */
export async function compressedAlone(messages: readonly Uint8Array[]) {
  const deflate = createDeflateRaw();
  let made = 0;
  deflate.on('data', (chunk: Buffer) => {
    made += chunk.length;
  });
  const sum = { bytes: 0, deflatedBytes: 0 };
  for (const [index, message] of messages.entries()) {
    made = 0;
    deflate.write(message);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    if (index < Math.floor(messages.length / 2)) continue;
    sum.bytes += message.length;
    sum.deflatedBytes += made - TAIL_BYTES;
  }
  deflate.destroy();
  return sum;
}

/** Kept length of a message, in UTF-16 units. */
const MOST_CHARACTERS = 500;

/** The errors of one user's page: counted, and the first kept; a page may throw thousands. */
export class PageErrors {
  #line: RecordOf<'page-errors'> | null = null;
  #recorded = 0;

  add(atMs: number, message: string): void {
    this.#line = {
      type: 'page-errors',
      atMs,
      errors: (this.#line?.errors ?? 0) + 1,
      message: this.#line?.message ?? message.slice(0, MOST_CHARACTERS),
    };
  }

  /** The line that tells of those so far; none if that was told before. */
  take(): RecordOf<'page-errors'>[] {
    const line = this.#line;
    if (line === null || line.errors === this.#recorded) return [];
    this.#recorded = line.errors;
    return [line];
  }
}
