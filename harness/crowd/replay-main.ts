/**
 * The process that plays all that a trial's users sent again, to a server of its own, and writes what it makes into the
 * trial's folder. `node harness/crowd/replay-main.ts --framework yjs --recording <folder> --trial <folder>`
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findFramework } from '../../frameworks/discover.ts';
import { loadClient, loadServer } from '../../frameworks/framework.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { messageOf } from '../../results/user-error.ts';
import { REPLAY_FILE, type Replay } from '../trial/trial-files.ts';
import { readRecording } from './recording.ts';
import { inAnotherOrder, readSent, replay } from './replay.ts';

const { values } = parseArgs({
  options: { framework: { type: 'string' }, recording: { type: 'string' }, trial: { type: 'string' } },
});
const { framework, recording: folder, trial } = values;
if (framework === undefined || folder === undefined || trial === undefined) {
  throw new Error('--framework, --recording and --trial must all be given');
}
await writeJson(join(trial, REPLAY_FILE), await replayed(framework, folder, trial));
// A library's own timers must not keep it alive.
process.exit();

async function replayed(framework: string, folder: string, trial: string): Promise<Replay> {
  try {
    const { key, users } = await readRecording(folder);
    const sent = inAnotherOrder(users, await readSent(trial));
    const found = await findFramework(framework);
    const server = await loadServer(found);
    const client = await loadClient(found);
    return { modelDigest: await replay({ server, client, documentId: key.documentId, sent }), problem: null };
  } catch (error) {
    return { modelDigest: null, problem: messageOf(error) };
  }
}
