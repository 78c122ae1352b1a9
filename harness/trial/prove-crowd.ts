/** Has what all users of a trial sent played again, and tells which document it makes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { TrialProcesses } from './trial-processes.ts';

/** In the trial's folder: what the replay found. */
export const REPLAY_FILE = 'replay.json';

/** Digest of the document, as in `DocumentState`; null where there was none in the end, for this reason. */
export const replaySchema = z.object({ modelDigest: z.string().nullable(), problem: z.string().nullable() });
export type Replay = z.infer<typeof replaySchema>;

/** @throws TrialFailure where the process that does it ends badly */
export async function proveCrowd(options: {
  processes: Pick<TrialProcesses, 'run'>;
  planned: Pick<PlannedTrial, 'framework'>;
  recording: string;
  directory: string;
}): Promise<Replay> {
  const { processes, planned, recording, directory } = options;
  const args = ['--framework', planned.framework, '--recording', recording, '--trial', directory];
  await processes.run('replay', 'harness/crowd/replay-main.ts', args);
  return replaySchema.parse(JSON.parse(await readFile(join(directory, REPLAY_FILE), 'utf8')));
}
