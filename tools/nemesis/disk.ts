/** A small disk of its own for a run: a file that is mounted, which takes root. It can fill up, refuse, and lose its power. */
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../infra/process/child.ts';

/** A run of small trials with its report takes about 8 MB, in some hundred files. */
const BYTES = 64 * 2 ** 20;
const FILES = 4096;
/** So often what is known of names goes to the disk, also of files whose content is still in memory. */
const COMMIT_S = 1;
const FILLER = 'filler';
/** A disk that nothing writes to is at rest at the second look. */
const MOST_LOOKS = 20;

/** True if it resolves, false if it rejects. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

const imageOf = (folder: string) => `${folder}.img`;

/** Makes a disk, and mounts it at a folder, which is made, too. Rejects if this account may not, or this system cannot. */
export async function mountDisk(folder: string): Promise<void> {
  await mkdir(folder);
  await runTool(['truncate', '-s', `${BYTES}`, imageOf(folder)]);
  await runTool(['mkfs.ext4', '-q', '-F', '-N', `${FILES}`, imageOf(folder)]);
  await mountImage(folder);
}

function mountImage(folder: string): Promise<string> {
  return runTool(['mount', '-o', `loop,commit=${COMMIT_S}`, imageOf(folder), folder]);
}

/** Takes away all that is mounted at a folder, and the disk. */
export async function removeDisk(folder: string): Promise<void> {
  while (await succeeds(runTool(['umount', folder])));
  for (const image of [imageOf(folder), cutImageOf(folder)]) await rm(image, { force: true });
}

const cutImageOf = (folder: string) => `${folder}.cut.img`;

/** Takes the disk as it is now, without what is only in memory. Nobody may be writing to it. */
export async function cutPower(folder: string): Promise<void> {
  for (let look = 1; look <= MOST_LOOKS; look++) {
    await runTool(['cp', '--sparse=always', imageOf(folder), cutImageOf(folder)]);
    // Else the kernel has written to it in between.
    if (await succeeds(runTool(['cmp', '-s', imageOf(folder), cutImageOf(folder)]))) return;
  }
  throw new Error(`${imageOf(folder)} does not come to rest`);
}

/** Mounts what a power cut has left, in the place of the disk. */
export async function restorePower(folder: string): Promise<void> {
  await runTool(['umount', folder]);
  await rename(cutImageOf(folder), imageOf(folder));
  await mountImage(folder);
}

/** From now on nothing new is written: what is open for writing can still be written to. */
export async function makeReadOnly(folder: string): Promise<void> {
  await runTool(['mount', '--bind', folder, folder]);
  await runTool(['mount', '-o', 'remount,bind,ro', folder]);
}

export async function makeWritable(folder: string): Promise<void> {
  await runTool(['umount', folder]);
}

/** Until nothing more goes in. */
export async function fill(folder: string): Promise<void> {
  const file = await open(join(folder, FILLER), 'w');
  for (let size = 2 ** 20; size >= 1; size /= 2) {
    const isIn = () =>
      file.write(Buffer.alloc(size)).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      );
    while (await isIn());
  }
  await file.close();
}

/** Until there can be no further file; there is room for content. */
export async function fillWithFiles(folder: string): Promise<void> {
  await mkdir(join(folder, FILLER));
  for (let number = 0; await succeeds(writeFile(join(folder, FILLER, `${number}`), '')); number++);
}

export function empty(folder: string): Promise<void> {
  return rm(join(folder, FILLER), { recursive: true, force: true });
}
