/**
 * Writes a run as runs do it: trials that ended, one that is under way, and one as it was written before files were synced.
 * Then it says so, and waits to be killed.
 *
 * Arguments: the run's folder, its plan as JSON, the number of trials that end.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { analyseTrial, DOCUMENT_RECORD } from '../../../analysis/trial/analyse-trial.ts';
import { openRecordWriter } from '../../../results/formats/record-file.ts';
import { SCHEMA_VERSION } from '../../../results/formats/records.ts';
import { type DocumentTrial, recordPath, VERDICT_FILE } from '../../../results/formats/run-directory.ts';
import { openRunFolder } from '../../../results/run-folder/run-folder.ts';

const [directory, options, count] = process.argv.slice(2) as [string, string, string];
const { experiment, plan } = JSON.parse(options) as { experiment: object; plan: DocumentTrial[] };
const shared = { sameMachine: true, resume: false };
const folder = await openRunFolder({ directory, experiment, plan, ...shared });
await folder.begin({ node: process.version }, () => {});

const ended = plan.slice(0, Number(count));
const [underWay, unsynced] = plan.slice(Number(count));
for (const trial of ended) {
  const trialDirectory = join(directory, trial.directory);
  const record = recordOf(trialDirectory, trial);
  record.write({ type: 'done', atMs: 3 });
  await record.close();
  await analyseTrial(trialDirectory);
}
recordOf(join(directory, underWay!.directory), underWay!);
const old = join(directory, unsynced!.directory);
await mkdir(join(old, 'records'), { recursive: true });
await writeFile(recordPath(old, DOCUMENT_RECORD), gzipSync('{}\n'));
await writeFile(join(old, 'partial'), '{"schemaVersion": 1}');
await rename(join(old, 'partial'), join(old, VERDICT_FILE));
console.log('written');
setInterval(() => {}, 1000);

function recordOf(trialDirectory: string, { of, seed }: DocumentTrial) {
  const record = openRecordWriter(recordPath(trialDirectory, DOCUMENT_RECORD));
  record.write({ type: 'subject', schemaVersion: SCHEMA_VERSION, scenario: 'state', of, version: '1', atMs: 1 });
  record.write({ type: 'figure', figure: 'loadMs', value: seed });
  return record;
}
