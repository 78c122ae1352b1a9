/** What the probes of a trial sent, as its folder holds it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SENT_ENDING } from '../trial/hand-in.ts';
import type { Sent } from '../trial/protocol.ts';
import type { Frame } from './recording.ts';

/** By all their clients' connections, in the order of their screens' clocks, which are one machine's. */
export async function readSent(trialDirectory: string): Promise<Frame[]> {
  const folder = join(trialDirectory, 'documents');
  const names = (await readdir(folder)).filter((name) => name.endsWith(SENT_ENDING)).sort();
  const connections = await Promise.all(
    names.map(async (name): Promise<Sent[]> => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
  return connections
    .flat()
    .flatMap(({ frames }) => frames)
    .sort((a, b) => a.atMs - b.atMs)
    .map((frame) => ('text' in frame ? frame.text : Buffer.from(frame.base64, 'base64')));
}
