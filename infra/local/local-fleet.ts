/** The local fleet: processes on this machine, in a temporary folder of their own. It sets no limits on CPU or memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fleet, Job, Launched } from '../fleet.ts';

/** How long a process may take to end by itself before it is killed. */
const GRACE_MS = 5000;
/** How much of a process's last words is kept for a message. */
const LAST_WORDS_CHARACTERS = 2000;

/** A fleet's temporary folder is named after its process, so that a later one can tell whether it is still needed. */
const FOLDER_PREFIX = 'scriptorium-fleet-';

/** @param root the folder that jobs' entry files are relative to */
export async function createLocalFleet(root: string): Promise<Fleet> {
  const processes = new Set<ChildProcess>();
  await removeOrphanedFolders();
  const temporaryFolder = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  let stopping = false;

  const launchOne = (job: Job): Promise<string | null> => {
    const child = spawn(process.execPath, [job.entry, ...job.arguments], {
      cwd: root,
      // What the process leaves behind, such as Chrome's profiles, lies where `stop` removes it.
      env: { ...process.env, ...job.environment, TMPDIR: temporaryFolder },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
      detached: true,
    });
    processes.add(child);
    let lastWords = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-LAST_WORDS_CHARACTERS);
    });
    return new Promise((resolve) => {
      child.once('error', (error) => {
        processes.delete(child);
        resolve(`the ${job.name} process could not be started: ${error.message}`);
      });
      child.once('close', (code, signal) => {
        processes.delete(child);
        const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
        const badly = !stopping && code !== 0;
        resolve(badly ? `the ${job.name} process ended ${how}${lastWords && `:\n${lastWords.trim()}`}` : null);
      });
    });
  };

  return {
    name: 'local',
    coordinatorHost: '127.0.0.1',
    async launch(job): Promise<Launched> {
      const ends = Array.from({ length: job.copies }, () => launchOne(job));
      return { failed: firstFailure(ends) };
    },
    async stop() {
      stopping = true;
      const gone = [...processes].map(endProcess);
      await Promise.all(gone);
      await rm(temporaryFolder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A fleet whose process was killed could not remove its folder. */
async function removeOrphanedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(FOLDER_PREFIX) ? Number.parseInt(name.slice(FOLDER_PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It lives, but belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The first that is not null, as soon as it is there; null once all are. */
function firstFailure(ends: Promise<string | null>[]): Promise<string | null> {
  return new Promise((resolve) => {
    for (const end of ends) end.then((failure) => failure !== null && resolve(failure));
    Promise.all(ends).then(() => resolve(null));
  });
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await gone;
  clearTimeout(killer);
}
