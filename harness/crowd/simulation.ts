/**
 * The crowd of a trial on a virtual clock, as fast as the machine goes. Every user is at NoQuill, with the framework's own
 * client and server, its stretch of the trace, its schedule and its link. Its sent messages are the recording.
 */
import type { Crowd, FrameworkClient } from '../../editors/base/framework.ts';
import type { VirtualClock } from '../../infra/virtual/clock.ts';
import type { VirtualNetwork } from '../../infra/virtual/network.ts';
import type { FrameworkServer } from '../../servers/server.ts';
import type { Assignment } from '../trial/protocol.ts';
import type { RecordedUser } from './recording.ts';
import { SimulatedUser, TAKE_IN_MS } from './simulated-user.ts';

/** Limit for agreement on the document after typing, and the steps in which users are asked. */
const SETTLE_LIMIT_MS = 60_000;
const SETTLE_STEP_MS = 1000;
/** Step of the clock while a user joins, or ends its typing: later work is no part of that, so the clock waits. */
const STEP_MS = 1000;
/** Limit for real time without virtual work, ms. */
const LONGEST_REAL_WAIT_MS = 20_000;
/** Period of progress reports, in virtual time. */
const PROGRESS_MS = 1000;

interface SimulatedCrowd {
  users: RecordedUser[];
  /** Digest of the document that all agreed on in the end, as in `DocumentState`. */
  modelDigest: string;
  characters: number;
}

interface SimulationOptions {
  /** One, or several that share nothing: the users are divided among them. */
  clients: readonly FrameworkClient[];
  server: FrameworkServer;
  crowd: Crowd;
  clock: VirtualClock;
  network: VirtualNetwork;
  /** The assignments of the crowd's users. */
  assignments: readonly Assignment[];
  /** Text that the document begins with; the first user puts it in. */
  startText: string;
  typingMs: number;
  onProgress(typedMs: number): void;
}

/**
 * @throws Error if a user does not join, or is cut off, or if the users do not agree in the end: such a crowd cannot
 *         be played
 */
export async function simulateCrowd(options: SimulationOptions): Promise<SimulatedCrowd> {
  const { clients, server, crowd, clock, network, assignments, startText, typingMs, onProgress } = options;
  if (server.serve === undefined) throw new Error('its server is a program of its own, which no virtual clock reaches');
  for (const client of clients) client.quicken?.();
  const end = server.serve(network.listen());
  const users: SimulatedUser[] = [];
  for (const [index, assignment] of assignments.entries()) {
    const client = clients[Math.floor((index * clients.length) / assignments.length)]!;
    const user = new SimulatedUser(assignment, clock, crowd);
    users.push(user);
    network.lineOf = () => user.line;
    await advanceUntil(clock, user.join(client), 'a user of the simulated crowd does not join');
  }
  if (startText !== '') await beginWith(startText, users, clock);
  const startMs = Math.ceil(clock.nowMs() / 1000) * 1000;
  await clock.run(startMs - TAKE_IN_MS);
  const endMs = startMs + typingMs;
  const typing = Promise.all(users.map((user) => user.type(startMs, endMs)));
  let isTyped = false;
  let failed = false;
  typing.then(
    () => {
      isTyped = true;
    },
    () => {
      failed = true;
    },
  );
  for (let atMs = startMs; atMs < endMs && !failed; atMs += PROGRESS_MS) {
    await clock.run(Math.min(atMs + PROGRESS_MS, endMs));
    onProgress(clock.nowMs() - startMs);
  }
  // A key due just before the end is typed just after it, if its user first takes in what came.
  if (!isTyped && !failed) await advanceUntil(clock, typing, 'a user of the simulated crowd does not end its typing');
  await typing;
  const state = await settle(users, clock);
  const recorded = users.map((user) => user.recorded());
  for (const user of users) await user.leave();
  await end?.();
  return { users: recorded, ...state };
}

/**
 * Lets virtual time pass until that is done, and no longer. If nothing of it is due, it waits for what takes real time, such as
 * an import.
 *
 * @param problem the error's message if nothing goes on
 */
async function advanceUntil(clock: VirtualClock, work: Promise<unknown>, problem: string): Promise<void> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  for (let waits = 0; !isDone; ) {
    if (await clock.next(clock.nowMs() + STEP_MS)) continue;
    if (++waits > LONGEST_REAL_WAIT_MS) throw new Error(problem);
    await clock.idle();
  }
  await done;
}

/** Resolves when all have what the first put in. */
async function beginWith(text: string, [author, ...others]: readonly SimulatedUser[], clock: VirtualClock) {
  await author!.putIn(text);
  for (let waitedMs = 0; waitedMs < SETTLE_LIMIT_MS; waitedMs += SETTLE_STEP_MS) {
    await clock.run(clock.nowMs() + SETTLE_STEP_MS);
    if (others.every(({ characters }) => characters === author!.characters)) return;
  }
  throw new Error(
    `the users of the simulated crowd did not get the start of the document within ${SETTLE_LIMIT_MS / 1000} s`,
  );
}

async function settle(users: readonly SimulatedUser[], clock: VirtualClock) {
  let digests: string[] = [];
  for (let waitedMs = 0; waitedMs < SETTLE_LIMIT_MS; waitedMs += SETTLE_STEP_MS) {
    await clock.run(clock.nowMs() + SETTLE_STEP_MS);
    await Promise.all([...users.map((user) => user.takeIn()), clock.run(clock.nowMs() + 2 * TAKE_IN_MS)]);
    if (new Set(users.map(({ characters }) => characters)).size > 1) continue;
    const states = await Promise.all(users.map((user) => user.session.state()));
    digests = states.map(({ modelDigest }) => modelDigest);
    if (new Set(digests).size === 1) return { modelDigest: digests[0]!, characters: states[0]!.characters };
  }
  const groups = Map.groupBy(users, (_, index) => digests[index]);
  throw new Error(
    `the users of the simulated crowd did not agree on the document within ${SETTLE_LIMIT_MS / 1000} s: they hold ${groups.size} different ones`,
  );
}
