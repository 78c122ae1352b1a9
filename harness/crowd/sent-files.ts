/** What the probes of a trial sent, as its folder holds it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SENT_ENDING } from '../trial/hand-in.ts';
import type { Sent } from '../trial/protocol.ts';
import type { SentByOne } from './replay.ts';

/** @throws Error where a probe's is missing, or a file cannot be read */
export async function readSent(trialDirectory: string): Promise<SentByOne[]> {
  const folder = join(trialDirectory, 'documents');
  const names = (await readdir(folder)).filter((name) => name.endsWith(SENT_ENDING)).sort();
  const connections = await Promise.all(
    names.map(async (name): Promise<Sent[]> => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
  return connections.flat().map(({ path, frames }) => ({
    path,
    frames: frames.map((frame) => ('text' in frame ? frame.text : Buffer.from(frame.base64, 'base64'))),
  }));
}
