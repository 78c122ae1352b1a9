/** One trial: a server's memory before any document is open, with all of them, with idle connections, and after everyone has left. */
import { setTimeout } from 'node:timers/promises';
import type { Deployment } from '../../harness/server/deployment.ts';
import { nowMs } from '../../infra/clock.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import type { WriterCalls } from '../join/writers-main.ts';
import { besideServer, type LiveServer, type TrialSurroundings } from '../live-server.ts';
import { figureLines, MIB } from '../measurement.ts';
import { type ExperimentOf, SubjectFailure } from '../scenario.ts';
import { withLimit } from '../trial-processes.ts';

/** Before memory is read: what was just done is worked off. */
const PAUSE_MS = 2000;
/** How long everyone may take to leave, and idle users to come. */
const CALL_LIMIT_MS = 120_000;
/** When memory is read after everyone has left; and at the end. */
const READINGS_MS = [1, 2, 5, 10, 20, 30, 45, 60, 120, 300, 600].map((seconds) => 1000 * seconds);
/** Of what was given back in the end, this share is as good as all. */
const GIVEN_BACK_SHARE = 0.9;

export type MemoryExperiment = ExperimentOf<'memory'>;
export type MemoryCell = { framework: string; edits: number; documents: number };
type MemoryTrialOptions = Pick<MemoryExperiment, 'connections' | 'closedForMs' | 'limitMs'> &
  MemoryCell &
  TrialSurroundings;

/**
 * @returns the lines of its record
 * @throws SubjectFailure if the documents were not filled; all processes have ended then
 */
export function measureMemory(options: MemoryTrialOptions): Promise<RecordLine[]> {
  return besideServer(options, (live) => measure(options, live));
}

async function measure(
  { framework, documents: count, connections, closedForMs, limitMs, editsFile }: MemoryTrialOptions,
  { server, url, signal, launch }: LiveServer,
): Promise<RecordLine[]> {
  const open = async (ids: readonly string[]) => {
    const documents = Object.fromEntries(ids.map((documentId, number) => [number, { url, documentId }]));
    const users = launch<WriterCalls>('join/writers-main.ts');
    await users.call('start', { framework, edits: editsFile, documents });
    // The call itself gives up at its limit, and a thread that is busy says so late.
    await within(users.call('fill', limitMs), limitMs + CALL_LIMIT_MS, 'its documents were not filled');
    return users;
  };
  const within = <T>(call: Promise<T>, ms: number, what: string) =>
    withLimit(call, ms, () => new SubjectFailure('out-of-time', `${what} after ${ms / 1000} s`));
  const readMiB = async () => {
    await setTimeout(PAUSE_MS, undefined, { signal });
    return heldMiB(server);
  };
  // The first document brings code and buffers that all others share.
  const rehearsal = await open(['rehearsal']);
  await within(rehearsal.call('leave'), CALL_LIMIT_MS, 'its users had not left');
  await rehearsal.end();
  const idleMiB = await readMiB();
  const users = await open(Array.from({ length: count }, (_, number) => `document-${number}`));
  const characters = await users.call('lengthOf', 0);
  const openMiB = await readMiB();
  await within(users.call('open', connections), CALL_LIMIT_MS, 'its idle users had not joined');
  const connectedMiB = await readMiB();
  await within(users.call('leave'), CALL_LIMIT_MS, 'its users had not left');
  const closed = await watchClosed(server, { beforeMiB: connectedMiB, forMs: closedForMs, signal });
  const { peakBytes } = await server.memory({ isCollected: false });
  return [
    ...figureLines({
      characters,
      idleMiB,
      openMiB,
      documentMiB: per(openMiB, idleMiB, count),
      connectionMiB: per(connectedMiB, openMiB, connections),
      leftMiB: per(closed.y.at(-1) ?? null, idleMiB, 1),
      givenBackMs: givenBackMs(closed),
      serverPeakMemoryMiB: peakBytes === null ? null : peakBytes / MIB,
    }),
    ...(closed.x.length === 0 ? [] : [{ type: 'curve', curve: 'closedMiB', ...closed } as const]),
  ];
}

/** Memory of a server whose garbage was just collected; null if the system does not tell. */
async function heldMiB(server: Deployment): Promise<number | null> {
  const { bytes } = await server.memory({ isCollected: true });
  return bytes === null ? null : bytes / MIB;
}

/** Growth for each of so many; null if it is not known, or there are none. */
function per(now: number | null, before: number | null, count: number): number | null {
  return now === null || before === null || count === 0 ? null : (now - before) / count;
}

/** The server's memory, MiB, over the seconds since everyone has left, when it was as given. */
async function watchClosed(
  server: Deployment,
  { beforeMiB, forMs, signal }: { beforeMiB: number | null; forMs: number; signal: AbortSignal },
): Promise<{ x: number[]; y: number[] }> {
  const curve: { x: number[]; y: number[] } = beforeMiB === null ? { x: [], y: [] } : { x: [0], y: [beforeMiB] };
  const startMs = nowMs();
  for (const atMs of [...READINGS_MS.filter((ms) => ms < forMs), forMs]) {
    await setTimeout(Math.max(0, startMs + atMs - nowMs()), undefined, { signal });
    const memoryMiB = await heldMiB(server);
    if (memoryMiB === null) continue;
    curve.x.push(atMs / 1000);
    curve.y.push(memoryMiB);
  }
  return curve;
}

/** When nearly all was given back of what was in the end; null if nothing was. */
export function givenBackMs({ x, y }: { x: readonly number[]; y: readonly number[] }): number | null {
  const [first, last] = [y[0], y.at(-1)];
  if (first === undefined || last === undefined || last >= first) return null;
  const enough = first - GIVEN_BACK_SHARE * (first - last);
  return 1000 * x[y.findIndex((memoryMiB) => memoryMiB <= enough)]!;
}
