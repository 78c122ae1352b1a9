/** The steps of a trial: how long each may take, when users type, how they settle, and the failure that ends a trial before its time. */
import { once } from 'node:events';
import { MAX_MEDIAN_END_TO_END_LATENCY_MS } from '../../analysis/figures/criterion.ts';
import type { Timer } from '../../infra/clock.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { countCompany } from '../experiment/company.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { STATE_PERIOD_MS } from '../experiment/settling.ts';
import type { DocumentState, MessageOf } from './protocol.ts';

/** The end of a trial before its time; the message becomes a reason of the verdict. */
export class TrialFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'TrialFailure';
    this.code = code;
  }
}

/**
 * Waits for a step's end, but not longer than its bound.
 *
 * @param subject of the message: "the start of all users"
 * @param code of the failure if it does not; by default `too-slow`, which is the harness's
 * @param step gets a signal that aborts at the bound too; it is no longer waited for then, whether it heeds it or not
 */
export type Within = <T>(
  limitMs: number,
  subject: string,
  step: (signal: AbortSignal) => Promise<T>,
  code?: string,
) => Promise<T>;

/** @returns bounds for steps that end with `signal`; theirs is a `TrialFailure`, the signal's is its reason */
export function boundBy(signal: AbortSignal): Within {
  return async (limitMs, subject, step, code = 'too-slow') => {
    const limit = AbortSignal.timeout(Math.ceil(limitMs));
    const limited = AbortSignal.any([signal, limit]);
    try {
      limited.throwIfAborted();
      const ended = once(limited, 'abort').then(() => Promise.reject(limited.reason));
      return await Promise.race([step(limited), ended]);
    } catch (error) {
      if (error !== limit.reason) throw error;
      throw new TrialFailure(code, `${subject} did not happen within ${Math.ceil(limitMs / 1000)} s`);
    }
  };
}

/** As it is announced to the users; instants of the coordinator's clock. */
export interface Timeline {
  warmUpMs: number;
  measureMs: number;
  profileMs: number;
  /** When profilers begin: some time into the phase, so that what was sent in the measured window arrives without them. */
  profilersMs: number;
  endMs: number;
}

/** Largest share of the profiling phase that is left to messages still on their way; the rest is the profilers'. */
const GREATEST_GAP_SHARE = 0.5;

export function timelineFrom(warmUpMs: number, durations: Experiment['durations']): Timeline {
  const measureMs = warmUpMs + durations.warmUpMs;
  const profileMs = measureMs + durations.measureMs;
  const gapMs = Math.min(MAX_MEDIAN_END_TO_END_LATENCY_MS, GREATEST_GAP_SHARE * durations.profileMs);
  return { warmUpMs, measureMs, profileMs, profilersMs: profileMs + gapMs, endMs: profileMs + durations.profileMs };
}

/** Limits of the steps in which nobody types, ms; typing itself lasts as long as the experiment says. */
export const STEP_LIMITS_MS = {
  /** Until the fleet has started a process, and until the server listens. */
  serve: 30_000,
  /** For each further server, which starts once the one before listens; and for a store, which may be a database to make. */
  servePerFurtherServer: 10_000,
  serveStore: 20_000,
  admit: 30_000,
  /** Each further user makes the others' start slower, on a machine that they share. */
  admitPerUser: 2000,
  /** A reader is a socket that is opened after the one before. */
  admitPerReader: 50,
  ready: 30_000,
  /** Per character of the document's start: until the start is in there, and everyone has it. */
  readyPerCharacter: 2,
  collect: 60_000,
  prove: 120_000,
} as const;

/** Limit for the start of a trial's servers, and of what stands behind them. */
export function serveLimitMs({ servers = 1, store }: Pick<PlannedTrial, 'servers' | 'store'>): number {
  const { serve, servePerFurtherServer, serveStore } = STEP_LIMITS_MS;
  return serve + (servers - 1) * servePerFurtherServer + (store === undefined ? 0 : serveStore);
}

/** Limit for the connection of all users, and for their start. @param joinPeriodMs they join no sooner after one another */
export function admitLimitMs(
  { users, readers = 0, agents }: Pick<PlannedTrial, 'users' | 'readers' | 'agents'>,
  joinPeriodMs: number,
): number {
  const { admit, admitPerUser, admitPerReader } = STEP_LIMITS_MS;
  const clients = users + countCompany({ agents }).agents;
  return admit + clients * (admitPerUser + joinPeriodMs) + readers * (admitPerReader + joinPeriodMs);
}

/**
 * Has users join in their order, and waits until all are ready.
 *
 * @param options.isFirstAlone true: the others come once the first is ready. Some servers never let in the second of two who come to
 *        a new document at the same time.
 */
export async function joinInTurn<User extends { expect(type: 'ready', signal: AbortSignal): Promise<unknown> }>(
  users: readonly User[],
  options: { assign(user: User): void; periodMs: number; isFirstAlone: boolean; timer: Timer; signal: AbortSignal },
): Promise<void> {
  const { assign, periodMs, isFirstAlone, timer, signal } = options;
  for (const [index, user] of users.entries()) {
    if (index > 0 && periodMs > 0) await timer.until(timer.nowMs() + periodMs, signal);
    assign(user);
    if (index === 0 && isFirstAlone) await user.expect('ready', signal);
  }
  await Promise.all(users.slice(isFirstAlone ? 1 : 0).map((user) => user.expect('ready', signal)));
}

/** With the margin of the start, three or four samples of the server, a second apart. */
export const IDLE_MS = 2000;

/** An answer that comes too late for agreement still tells in what documents differ; who gives none for so long is stuck. */
export const ANSWER_LIMIT_MS = 10_000;

export type StateAnswer = Pick<MessageOf<'document-state'>, 'state' | 'typing'>;

/**
 * Asks all users again and again until they agree.
 *
 * @param options.ask   the answers of all users, which must be there within this limit
 * @param options.endMs on the timer's clock: who is not asked by then has not agreed in time
 * @param options.restMs how long all must agree on the same document without a change; 0: seen once is enough
 * @param options.leastAnswerMs time that an answer may always take if it was asked for in time; one that takes longer is waited
 *        for, but is no agreement
 * @returns true if they agree; null if not all documents can be seen and the others agree
 * @throws what `ask` throws, and the signal's reason
 */
export async function untilAgreed(options: {
  ask: (limitMs: number) => Promise<readonly StateAnswer[]>;
  endMs: number;
  restMs?: number;
  leastAnswerMs: number;
  timer: Timer;
  signal: AbortSignal;
}): Promise<boolean | null> {
  const { ask, endMs, restMs = 0, leastAnswerMs, timer, signal } = options;
  let agreed: boolean | null = false;
  let rest = { digest: null as string | null, sinceMs: Number.NaN };
  while (timer.nowMs() < endMs) {
    const inTimeMs = Math.max(endMs, timer.nowMs() + leastAnswerMs);
    const answers = await ask(Math.max(ANSWER_LIMIT_MS, inTimeMs - timer.nowMs()));
    agreed = answers.some(({ typing }) => typing) ? false : agree(answers.map(({ state }) => state));
    if (agreed === true && timer.nowMs() > inTimeMs) agreed = false;
    if (agreed === true) {
      const digest = comparedDigest(answers[0]!.state);
      if (rest.digest !== digest) rest = { digest, sinceMs: timer.nowMs() };
      if (timer.nowMs() - rest.sinceMs >= restMs) break;
      agreed = false;
    } else rest.digest = null;
    await timer.until(timer.nowMs() + STATE_PERIOD_MS, signal);
  }
  return agreed;
}

/** One document everywhere: in each model, and of each user in editor and screen too. Null if not all can be seen. */
function agree(states: readonly DocumentState[]): boolean | null {
  const seen = states.filter((state) => comparedDigest(state) !== null);
  const same = seen.every(
    (state) =>
      comparedDigest(state) === comparedDigest(seen[0]!) &&
      state.editorDigest === state.shownModelDigest &&
      (state.editorTextDigest === null || state.screenTextDigest === state.editorTextDigest),
  );
  return same && seen.length < states.length ? null : same;
}

/** The digest to compare: of the model, or, if the model is not open, of the screen's text. Null: neither. */
function comparedDigest({ modelDigest, screenTextDigest }: DocumentState): string | null {
  return modelDigest ?? screenTextDigest;
}
