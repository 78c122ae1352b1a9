/**
 * How a recording lies on disk: a folder with `head.json` (what it is of, its users, checksums) and `frames.bin` (what they
 * send). A frame there is its due time (float64, ms; 0 of what joins), its kind (1 byte; 1: text) and length (uint32), then
 * its bytes; all of a user's opening, then all of what it types, user after user, little-endian.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, UserError } from '../../results/user-error.ts';
import type { Frame, RecordedUser, Recording } from './recording.ts';

/** Of these files; another is not read. */
const FORMAT_VERSION = 2;
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
  /** Of `head`, as JSON. */
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
    framesSha256: sha256(frames),
  };
  const file: HeadFile = { formatVersion: FORMAT_VERSION, sha256: sha256(JSON.stringify(head)), head };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, FRAMES_FILE), frames);
  await writeFile(join(folder, HEAD_FILE), JSON.stringify(file));
}

/** @throws UserError (2) where it is truncated, altered, or of another format */
export async function readHead(folder: string): Promise<RecordingHead> {
  const file = await readFile(join(folder, HEAD_FILE), 'utf8')
    .then((text): HeadFile => JSON.parse(text))
    .catch((error) => {
      throw damaged(folder, `its ${HEAD_FILE} cannot be read (${messageOf(error)})`);
    });
  if (file.formatVersion !== FORMAT_VERSION) {
    throw damaged(folder, `it is of format ${file.formatVersion}, and this version reads ${FORMAT_VERSION}`);
  }
  if (sha256(JSON.stringify(file.head)) !== file.sha256) throw damaged(folder, `its ${HEAD_FILE} was altered`);
  return file.head;
}

/** @throws UserError (2) where it is truncated, altered, or of another format */
export async function readRecording(folder: string): Promise<Recording> {
  const { users, framesBytes, framesSha256, ...of } = await readHead(folder);
  const frames = await readFile(join(folder, FRAMES_FILE)).catch((error) => {
    throw damaged(folder, `its ${FRAMES_FILE} cannot be read (${messageOf(error)})`);
  });
  if (frames.length !== framesBytes) {
    throw damaged(folder, `its ${FRAMES_FILE} has ${frames.length} bytes of ${framesBytes}`);
  }
  if (sha256(frames) !== framesSha256) throw damaged(folder, `its ${FRAMES_FILE} was altered`);
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

function damaged(folder: string, what: string): UserError {
  return new UserError(
    `The recording of a crowd in ${folder} cannot be used: ${what}. Delete that folder; the next run that needs the recording makes it again.`,
    { exitCode: 2 },
  );
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
