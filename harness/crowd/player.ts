/** Plays a crowd: all its users in this process, each with a connection of its own to the coordinator and to the server. */
import { nowMs } from '../../infra/clock.ts';
import { processMemoryBytes } from '../probes/process-tree.ts';
import type { UserControl } from '../users/user.ts';
import { createPlayback } from './playback.ts';
import type { PlayedSocket } from './played-socket.ts';
import { runPlayedUser } from './played-user.ts';
import type { RecordedUser } from './recording.ts';

/**
 * Period at which sockets are read. Waking for every message of a hundred users would cost more than all other work. No
 * server notices: a message waits in the system's buffer, as it would for a busy page.
 */
export const READ_PERIOD_MS = 50;
const SAMPLE_PERIOD_MS = 2000;

/** A user's connection to the coordinator, and what it is to play. */
export interface Played {
  control: UserControl;
  recorded: RecordedUser;
}

/** Resolves when all users' parts are over. */
export async function playCrowd(
  crowd: readonly Played[],
  { frameworkVersion, readPeriodMs = READ_PERIOD_MS }: { frameworkVersion: string; readPeriodMs?: number },
): Promise<void> {
  const playback = createPlayback();
  const drained = new Set<PlayedSocket>();
  const drain = setInterval(() => {
    for (const socket of drained) socket.drain();
  }, readPeriodMs);
  let stopSampling = () => {};
  await Promise.all(
    crowd.map(({ control, recorded }, index) =>
      runPlayedUser({
        control,
        recorded,
        playback,
        drained,
        frameworkVersion,
        onGo({ memoryAtMs }) {
          if (index === 0) stopSampling = sampleThisProcess(control, { users: crowd.length, memoryAtMs });
        },
      }),
    ),
  );
  stopSampling();
  clearInterval(drain);
  playback.stop();
}

/** @param about.memoryAtMs when memory is read, once, as of all processes of users */
function sampleThisProcess(
  { record }: Pick<UserControl, 'record'>,
  { users, memoryAtMs }: { users: number; memoryAtMs: number },
): () => void {
  let memoryDone = false;
  const timer = setInterval(async () => {
    const { user, system } = process.cpuUsage();
    const atMs = nowMs();
    const readMemory = !memoryDone && atMs >= memoryAtMs;
    memoryDone ||= readMemory;
    const memoryBytes = readMemory ? await processMemoryBytes(process.pid) : null;
    const of = { type: 'resources', of: 'crowd', host: 'crowd', users, cores: null } as const;
    record({ ...of, atMs, cpuMs: (user + system) / 1000, memoryBytes });
  }, SAMPLE_PERIOD_MS);
  return () => clearInterval(timer);
}
