/** A power cut, on a disk of its own: what a run had said that it ended is there, and nothing empty counts as finished. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { type DocumentTrial, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import { readVerdict } from '../../results/run-folder/run-files.ts';
import { openRunFolder } from '../../results/run-folder/run-folder.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { recordLines } from '../../tests/runs.ts';
import { cutPower, mountDisk, removeDisk, restorePower, succeeds } from './disk.ts';

const folder = folderOfEachTest();
afterEach(() => removeDisk(folder.in('disk')));

const WRITER = join(import.meta.dirname, 'test-data/write-run.ts');
const ENDED = 3;
const COMMITTED_MS = 1500;

const plan = Array.from({ length: ENDED + 2 }, (_, index): DocumentTrial => {
  const trial = { cell: 'yjs', trial: index + 1, seed: index, directory: `trials/yjs-${index + 1}` };
  return { ...trial, of: { engine: 'yjs' } } as unknown as DocumentTrial;
});
const experiment = { name: 'cut', scenario: 'state' };

test('ended trials are whole after a power cut, and the others run again', async ({ skip }) => {
  const disk = folder.in('disk');
  if (!(await succeeds(mountDisk(disk)))) return skip('a disk of its own takes root, mkfs.ext4 and loop devices');
  const directory = join(disk, 'run');
  const args = [WRITER, directory, JSON.stringify({ experiment, plan }), `${ENDED}`];
  const child = spawn(process.execPath, args, { cwd: PROJECT_ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    // Names are on the disk then, and only what was synced of their content.
    await sleep(COMMITTED_MS);
    await cutPower(disk);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await restorePower(disk);

  const options = { directory, experiment, plan, sameMachine: true, resume: true };
  const { toRun } = await openRunFolder(options);
  expect(toRun.map(({ trial }) => trial)).toEqual([ENDED + 1, ENDED + 2]);
  for (const { directory: trial, seed } of plan.slice(0, ENDED)) {
    expect(await readVerdict(join(directory, trial))).toMatchObject({ verdict: 'valid' });
    const lines = await recordLines(join(directory, trial), 'trial');
    expect(lines.slice(1)).toMatchObject([{ value: seed }, { type: 'done' }]);
  }
  expect(JSON.parse(await readFile(join(directory, 'environment.json'), 'utf8'))).toEqual({ node: process.version });
  // Files that nobody synced are empty after a power cut, or not there.
  const unsynced = await stat(join(directory, plan.at(-1)!.directory, VERDICT_FILE)).catch(() => null);
  expect(unsynced?.size ?? 0).toBe(0);
});
