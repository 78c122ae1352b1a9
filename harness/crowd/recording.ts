/**
 * A recording: everything that each user of a crowd sends in a trial, computed beforehand on a virtual clock and played to a
 * real server later. On disk it is a folder with `head.json` (its key, its users, checksums) and `frames.bin` (their frames).
 * A frame there is its due time (float64, ms; 0 of an opening), its kind (1 byte; 1: text) and length (uint32), then its
 * bytes. Each user's opening comes first, then all that it types, user after user, little-endian.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditAccount } from '../../editors/base/instrument/ledger.ts';
import type { OwnSigil } from '../../editors/base/instrument/own-sigils.ts';
import type { SigilChange } from '../../editors/base/sigils.ts';
import type { Frame } from '../../infra/virtual/network.ts';
import { readingProblem } from '../../results/file-problem.ts';
import { sha256Of } from '../../results/formats/digest.ts';
import { makeFolder } from '../../results/formats/write-file.ts';
import { UserError } from '../../results/user-error.ts';

export interface RecordedUser {
  user: number;
  /** Path and query behind the server's address, as the framework's client asked for it: `/crowd?client=…`. */
  path: string;
  /** Frames with which the client joins, in order. */
  opening: readonly Frame[];
  /** Frames that it sends from the start of typing on, in order; `dueMs` counts from that start. */
  frames: readonly { dueMs: number; frame: Frame }[];
  /** Its sigils: when the last key was typed, ms after the start of typing, as in a live user's `sigil-sent`. */
  sigils: readonly { sigil: string; dueMs: number; sentMs: number }[];
  /** Its changes of them, in the same way. */
  sigilChanges: readonly { sigil: string; change: SigilChange; dueMs: number; sentMs: number }[];
  /** The fate of its sigils under the crowd's edits, as its editor saw it; the editor knows nothing of the probes' edits. */
  ownSigils: readonly OwnSigil[];
  /** The edits that its editor counts as its own, and their fate in the recording's document. */
  account: EditAccount;
}

/** All that a recording depends on: another in any of these is another recording. */
export interface RecordingKey {
  framework: string;
  /** Digest of the packages' versions and of the sources that take part. */
  sources: string;
  /** Numbers of the crowd's users: `first` and up, of `users` in all. */
  first: number;
  users: number;
  seed: number;
  /** The trace's digest, or what else the users type. */
  trace: string;
  /** The digest of what the document begins with. */
  start: string;
  typing: unknown;
  batching: unknown;
  network: unknown;
  /** How long the users type: warm-up, measurement and profile. */
  typingMs: number;
  documentId: string;
}

export interface Recording {
  key: RecordingKey;
  users: readonly RecordedUser[];
  /** The document that all of them agree on once typing is over: its digest, as in `DocumentState`, and its length. */
  modelDigest?: string;
  characters?: number;
}

/** Version of these files; another version is not read. */
const FORMAT_VERSION = 3;
const HEAD_FILE = 'head.json';
const FRAMES_FILE = 'frames.bin';
const FRAME_HEAD_BYTES = 8 + 1 + 4;

type UserHead = Omit<RecordedUser, 'opening' | 'frames'> & { opening: number; frames: number };

/** All but the frames. */
export interface RecordingHead extends Omit<Recording, 'users'> {
  users: readonly UserHead[];
  framesBytes: number;
  framesSha256: string;
}

interface HeadFile {
  formatVersion: number;
  /** Digest of `head` as JSON. */
  sha256: string;
  head: RecordingHead;
}

/** @param folder is made here */
export async function writeRecording(folder: string, { users, ...of }: Recording): Promise<void> {
  const frames = Buffer.concat(users.flatMap(framesOf));
  const head: RecordingHead = {
    ...of,
    users: users.map((user) => ({ ...user, opening: user.opening.length, frames: user.frames.length })),
    framesBytes: frames.length,
    framesSha256: sha256Of(frames),
  };
  const file: HeadFile = { formatVersion: FORMAT_VERSION, sha256: sha256Of(JSON.stringify(head)), head };
  makeFolder(folder);
  await writeFile(join(folder, FRAMES_FILE), frames);
  await writeFile(join(folder, HEAD_FILE), JSON.stringify(file));
}

/** @throws UserError (2) if it is truncated, altered, or of another format */
export async function readHead(folder: string): Promise<RecordingHead> {
  const file = await readFile(join(folder, HEAD_FILE), 'utf8')
    .then((text): HeadFile => JSON.parse(text))
    .catch((error) => {
      throw damaged(folder, `its ${HEAD_FILE} cannot be read: ${readingProblem(error)}`);
    });
  if (file.formatVersion !== FORMAT_VERSION) {
    throw damaged(folder, `it is of format ${file.formatVersion}, and this version reads ${FORMAT_VERSION}`);
  }
  if (sha256Of(JSON.stringify(file.head)) !== file.sha256) throw damaged(folder, `its ${HEAD_FILE} was altered`);
  return file.head;
}

/** @throws UserError (2) if it is truncated, altered, or of another format */
export async function readRecording(folder: string): Promise<Recording> {
  const { users, framesBytes, framesSha256, ...of } = await readHead(folder);
  const frames = await readFile(join(folder, FRAMES_FILE)).catch((error) => {
    throw damaged(folder, `its ${FRAMES_FILE} cannot be read: ${readingProblem(error)}`);
  });
  if (frames.length !== framesBytes) {
    throw damaged(folder, `its ${FRAMES_FILE} has ${frames.length} bytes of ${framesBytes}`);
  }
  if (sha256Of(frames) !== framesSha256) throw damaged(folder, `its ${FRAMES_FILE} was altered`);
  const next = readerOf(frames);
  const take = (count: number) => Array.from({ length: count }, next);
  return {
    ...of,
    users: users.map((user) => ({
      ...user,
      opening: take(user.opening).map(({ frame }) => frame),
      frames: take(user.frames),
    })),
  };
}

function framesOf({ opening, frames }: RecordedUser): Uint8Array[] {
  return [...opening.map((frame) => ({ dueMs: 0, frame })), ...frames].flatMap(({ dueMs, frame }) => {
    const isText = typeof frame === 'string';
    const bytes = isText ? Buffer.from(frame) : frame;
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.writeDoubleLE(dueMs, 0);
    head.writeUInt8(isText ? 1 : 0, 8);
    head.writeUInt32LE(bytes.length, 9);
    return [head, bytes];
  });
}

function readerOf(bytes: Buffer): () => { dueMs: number; frame: Frame } {
  let offset = 0;
  return () => {
    const dueMs = bytes.readDoubleLE(offset);
    const isText = bytes.readUInt8(offset + 8) === 1;
    const start = offset + FRAME_HEAD_BYTES;
    offset = start + bytes.readUInt32LE(offset + 9);
    const frame = bytes.subarray(start, offset);
    return { dueMs, frame: isText ? frame.toString() : frame };
  };
}

/** @param what follows "cannot be used: " */
export function damaged(folder: string, what: string): UserError {
  return new UserError(
    `The recording of a crowd in ${folder} cannot be used: ${what}. Delete that folder; the next run that needs the recording makes it again.`,
  );
}
