/** One trial: a document is filled, its users lose their server, or open it, all at once, and are followed until all are back. */
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Deployment } from '../../harness/server/deployment.ts';
import { nowMs } from '../../infra/clock.ts';
import type { CalledProcess } from '../../infra/process/calls.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { besideServer, type LiveServer, reopened, type TrialSurroundings } from '../live-server.ts';
import { type ExperimentOf, SubjectFailure } from '../scenario.ts';
import { PREPARE_LIMIT_MS, prepared, withLimit } from '../trial-processes.ts';
import { linesOf } from './figures.ts';
import type { UserCalls } from './users-main.ts';

/** Before the storm, so many of a process join at a time. */
const JOINED_AT_ONCE = 8;
const SAMPLE_PERIOD_MS = 500;
/** The server tells of its bytes every 250 ms. */
const LAST_REPORT_MS = 400;
/** How long documents may take to become the same once all keys were seen: what is deleted again is no key. */
const SETTLE_LIMIT_MS = 10_000;
const SETTLE_POLL_MS = 200;

export type StormExperiment = ExperimentOf<'storm'>;
export type StormCell = { framework: string; way: StormExperiment['ways'][number]; edits: number; users: number };
export type StormTrialOptions = Pick<StormExperiment, 'live' | 'unsent' | 'downForMs' | 'limitMs'> &
  StormCell &
  TrialSurroundings;

/**
 * @returns the lines of its record
 * @throws SubjectFailure if the framework did not come as far as the storm; all processes have ended then
 */
export function measureStorm(options: StormTrialOptions): Promise<RecordLine[]> {
  return besideServer(options, async (live) => {
    const users = await startUsers(options, live);
    const written = await users.fill(options.editsFile);
    return await measure(options, { ...live, users, written });
  });
}

async function measure(
  { way, downForMs, limitMs, unsent }: StormTrialOptions,
  { server, signal, users, written }: LiveServer & { users: Users; written: string },
): Promise<RecordLine[]> {
  // A line end follows in every editor.
  const wholeLength = written.length + 1;
  if (way !== 'open') await users.joinBefore(wholeLength);
  // Bytes that were sent before are none of the storm's: those of writing the document are as many as those of opening it.
  await setTimeout(LAST_REPORT_MS, undefined, { signal });
  const backAtMs = way === 'open' ? null : await loseServer(way, { server, users, downForMs });
  // Users who come back at once are slow to answer, and the server works for them by then.
  const [first, busyBefore] = await Promise.all([server.sample(), users.all((each) => each.call('busyMs'))]);
  const samples = [first];
  const fromMs = backAtMs ?? nowMs();
  const sampling = setInterval(async () => samples.push(await server.sample()), SAMPLE_PERIOD_MS);
  try {
    if (way === 'open')
      users.all((each) => each.call('join', Number.POSITIVE_INFINITY, true, wholeLength)).catch(() => {});
    const unanswered = () => new Error('a process of users does not answer: it has too many of them, or never rests');
    await withLimit(
      users.all((each) => each.call('untilDone', limitMs)),
      3 * limitMs,
      unanswered,
    );
  } finally {
    clearInterval(sampling);
  }
  samples.push(await server.sample());
  const busyMs = await users.all((each) => each.call('busyMs'));
  const toMs = nowMs();
  const held = await users.settled();
  await setTimeout(LAST_REPORT_MS);
  return linesOf({
    ...{ fromMs, toMs, limitMs, written, isForgotten: way === 'restart', ...held },
    // One may have been under way as the last began.
    samples: samples.sort((a, b) => a.atMs - b.atMs),
    unsent: way === 'open' ? 0 : unsent,
    marks: await users.marks(),
    sockets: await users.all((each) => each.call('socketMarks')),
    lastSample: await server.sample(),
    peakMemoryBytes: (await server.memory({ isCollected: false })).peakBytes,
    usersBusyMs: busyMs.map((ms, index) => ms - busyBefore[index]!),
  });
}

/** @returns when it took connections again. @throws SubjectFailure `not-reopened` if it does not, once it was killed */
export async function loseServer(
  way: 'restart' | 'drop',
  { server, users, downForMs }: { server: Pick<Deployment, typeof way>; users: Pick<Users, 'all'>; downForMs: number },
): Promise<number> {
  const untilMs = nowMs() + downForMs;
  const losing = server[way](untilMs);
  const away = (way === 'restart' ? reopened(losing, 'its server', untilMs) : losing).then(nowMs);
  // By then every client knows that it has no connection.
  const typing = setTimeout(downForMs / 2).then(() => users.all((each) => each.call('typeUnsent')));
  const [backMs] = await Promise.all([away, typing]);
  return backMs;
}

type Users = Awaited<ReturnType<typeof startUsers>>;

/** Starts the processes of a trial's users. The server has a core of its own, if there are two. */
async function startUsers(
  { framework, way, users: wanted, live, unsent }: StormTrialOptions,
  { url, signal, launch }: LiveServer,
) {
  const users = Math.min(wanted, live ?? wanted);
  const count = Math.min(users, Math.max(1, availableParallelism() - 1));
  const processes = Array.from({ length: count }, () => launch<UserCalls>('storm/users-main.ts'));
  const all = <T>(call: (process: CalledProcess<UserCalls>, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(processes.map(call));
  const given = { framework, place: { url, documentId: 'storm' }, users, unsent: way === 'open' ? 0 : unsent };
  const numbers = Array.from({ length: users }, (_, number) => number);
  await all((each, index) =>
    each.call('start', {
      ...given,
      numbers: numbers.filter((number) => number % count === index),
      sockets: Math.ceil((wanted - users - index) / count),
    }),
  );
  const marks = async () => (await all((each) => each.call('marks'))).flat();
  return {
    all,
    marks,
    /** @returns the document's text */
    fill: (editsFile: string) =>
      prepared(processes[0]!.call('fill', editsFile, PREPARE_LIMIT_MS), 2 * PREPARE_LIMIT_MS),
    /** All join, some at a time. @throws SubjectFailure if one cannot */
    async joinBefore(wholeLength: number): Promise<void> {
      await prepared(all((each) => each.call('join', JOINED_AT_ONCE, false, wholeLength)));
      const lost = (await marks()).flatMap((mark) => mark.lost ?? []);
      if (lost.length > 0) throw new SubjectFailure('not-joined', `${lost.length} users could not join: ${lost[0]}`);
      // The users alone come back then: bytes are divided by their number.
      await prepared(all((each) => each.call('authorLeaves')));
    },
    /** The texts that users hold once all hold the same; else at the end of a limit, or at once if some are alone for good. */
    async settled(): Promise<{ texts: string[]; unlikeModels: number }> {
      const endMs = nowMs() + SETTLE_LIMIT_MS;
      const isAnyoneLost = (await marks()).some(({ lost }) => lost !== null);
      for (;;) {
        const held = await all((each) => each.call('texts'));
        const texts = [...new Set(held.flatMap((of) => of.texts))];
        const unlikeModels = held.reduce((sum, of) => sum + of.unlikeModels, 0);
        if ((texts.length === 1 && unlikeModels === 0) || isAnyoneLost || nowMs() > endMs)
          return { texts, unlikeModels };
        await setTimeout(SETTLE_POLL_MS, undefined, { signal });
      }
    },
  };
}
