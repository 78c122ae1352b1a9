/** Figures of a storm, from what its users saw and hold, and what the server took meanwhile. */
import type { ServerSample } from '../../harness/server/server-sample.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { figureLines, KIB, MIB, noteLines } from '../measurement.ts';
import { LONELY_MS, type SocketMarks } from './sockets.ts';
import { type KeyKind, keyIndex, keysIn, type UserMarks, withoutKeys } from './user.ts';

/** A thread that works, or waits for a core, for more of the time has work waiting. */
export const BUSY_PERCENT = 85;
/** Users who were busy for a larger share of the time, and longer than the server, made the time. */
const LARGE_SHARE = 0.2;
/** It is looked at each quarter of a second, and the first look holds what was before. */
const LEAST_BUSY_MS = 500;
/** Shorter times between two samples tell more of the clock than of the load. */
const LEAST_WINDOW_MS = 100;

export interface StormOutcome {
  /** When the server took connections, again or at all; and when all was seen, or the limit had passed. */
  fromMs: number;
  toMs: number;
  limitMs: number;
  /** True if the server has forgotten the document. */
  isForgotten: boolean;
  marks: readonly UserMarks[];
  /** Of the users who are sockets, by their processes. */
  sockets: readonly SocketMarks[];
  unsent: number;
  /** The text before the storm. */
  written: string;
  /** The different texts that users hold in the end. */
  texts: readonly string[];
  unlikeModels: number;
  /** From `fromMs` to `toMs`, in their order; and one a little later, when the server has told of its last bytes. */
  samples: readonly ServerSample[];
  lastSample: ServerSample;
  peakMemoryBytes: number | null;
  /** How long each process of users was busy, from `fromMs` to `toMs`. */
  usersBusyMs: readonly number[];
}

export function linesOf(outcome: StormOutcome): RecordLine[] {
  const { fromMs, marks, samples, lastSample, peakMemoryBytes } = outcome;
  const endMs = fromMs + outcome.limitMs;
  const back = arrivals(
    marks.map(({ number }) => backOf(number, marks)),
    endMs,
  );
  const socketMarks = outcome.sockets.flatMap(({ backMs }) => backMs);
  // The answer of a server that believes a version of a document that it has not is no sign of the document.
  const isSocketsUnknown = outcome.isForgotten && outcome.sockets.some(({ isBelieved }) => isBelieved);
  const socketsBack = isSocketsUnknown ? [] : arrivals(socketMarks, endMs);
  const after = (nth: number, of = back) => (nth === 0 || of.length < nth ? null : of[nth - 1]! - fromMs);
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const users = marks.length + socketMarks.length;
  const perUserKiB = (bytes: 'sentBytes' | 'receivedBytes') =>
    first.traffic && lastSample.traffic && (lastSample.traffic[bytes] - first.traffic[bytes]) / KIB / users;
  const loads = loadsOf(samples);
  const accounts = outcome.texts.map((text) => accountOf(text, outcome));
  const counts = {
    backPercent: (100 * back.length) / marks.length,
    lostCharacters: Math.max(0, ...accounts.map(({ lost }) => lost)),
    doubledCharacters: Math.max(0, ...accounts.map(({ doubled }) => doubled)),
    usersBusyMs: Math.max(...outcome.usersBusyMs),
  };
  const figures = figureLines({
    firstBackMs: after(1),
    halfBackMs: after(Math.ceil(marks.length / 2)),
    allBackMs: after(marks.length),
    allSeenMs: isSeenByAll(outcome) ? latestOf(marks) - fromMs : null,
    socketUsers: socketMarks.length === 0 ? null : socketMarks.length,
    halfSocketsBackMs: after(Math.ceil(socketMarks.length / 2), socketsBack),
    allSocketsBackMs: after(socketMarks.length, socketsBack),
    ...counts,
    serverCpuMs: first.cpuMs === null || last.cpuMs === null ? null : last.cpuMs - first.cpuMs,
    serverPeakCpuPercent: loads.length === 0 ? null : Math.max(...loads.map(({ percent }) => percent)),
    serverPeakMemoryMiB: peakMemoryBytes === null ? null : peakMemoryBytes / MIB,
    receivedKiB: perUserKiB('sentBytes'),
    sentKiB: perUserKiB('receivedBytes'),
  });
  const away = marks.length - back.length;
  const socketsAway = isSocketsUnknown ? 0 : socketMarks.length - socketsBack.length;
  const unknownSockets = isSocketsUnknown ? socketMarks.length : 0;
  const serverBusyMs = busyMsOf(loads);
  return [...figures, ...notesOf(outcome, { ...counts, away, socketsAway, unknownSockets, serverBusyMs })];
}

/** Those who came in time, in their order. */
function arrivals(backMs: readonly number[], endMs: number): number[] {
  return backMs.filter((atMs) => atMs <= endMs).sort((a, b) => a - b);
}

/** When a user was back: it had the document, another showed the key that it typed then, and it one of another's. Infinity: never. */
function backOf(user: number, marks: readonly UserMarks[]): number {
  let heardMs = Number.POSITIVE_INFINITY;
  let hearsMs = Number.POSITIVE_INFINITY;
  const own = marks.find(({ number }) => number === user)!;
  for (const other of marks) {
    if (other.number === user) continue;
    heardMs = earlier(heardMs, other.seenMs[keyIndex(user, 'back')]!);
    hearsMs = earlier(hearsMs, own.seenMs[keyIndex(other.number, 'back')]!);
  }
  return Math.max(heardMs, hearsMs, earlier(Number.POSITIVE_INFINITY, own.wholeMs));
}

/** NaN is never. */
function earlier(aMs: number, bMs: number): number {
  return Number.isNaN(bMs) ? aMs : Math.min(aMs, bMs);
}

function isSeenByAll({ marks, unsent, fromMs, limitMs }: StormOutcome): boolean {
  const isTyped = (index: number) => unsent > 0 || index % 2 === keyIndex(0, 'back');
  return marks.every(({ seenMs }) => seenMs.every((atMs, index) => atMs <= fromMs + limitMs || !isTyped(index)));
}

function latestOf(marks: readonly UserMarks[]): number {
  return Math.max(...marks.map(({ seenMs }) => Math.max(...seenMs.filter((atMs) => !Number.isNaN(atMs)))));
}

/** Characters that a text lacks of what was written and typed, and those that nobody typed, or that stand there twice. */
export function accountOf(
  text: string,
  { marks, unsent, written }: Pick<StormOutcome, 'marks' | 'unsent' | 'written'>,
): { lost: number; doubled: number } {
  const counts = new Map<number, number>();
  for (const key of keysIn(text)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const account = differenceIn(withoutKeys(text), `${written}\n`);
  for (const { number, seenMs } of marks) {
    // Its own editor shows what it typed.
    const isBackTyped = !Number.isNaN(seenMs[keyIndex(number, 'back')]);
    const typed: Record<KeyKind, number> = { unsent, back: isBackTyped ? 1 : 0 };
    for (const kind of ['unsent', 'back'] as const) {
      const difference = (counts.get(keyIndex(number, kind)) ?? 0) - typed[kind];
      account.lost += Math.max(0, -difference);
      account.doubled += Math.max(0, difference);
    }
  }
  return account;
}

/** Characters that are missing, and those that came: as few as make the one text of the other. */
function differenceIn(text: string, expected: string): { lost: number; doubled: number } {
  const shortest = Math.min(text.length, expected.length);
  let start = 0;
  while (start < shortest && text[start] === expected[start]) start++;
  let end = 0;
  while (end < shortest - start && text.at(-1 - end) === expected.at(-1 - end)) end++;
  const [from, to] = [expected.slice(start, expected.length - end), text.slice(start, text.length - end)];
  const differences = fewestDifferences(from, to);
  return { lost: (differences + from.length - to.length) / 2, doubled: (differences + to.length - from.length) / 2 };
}

/** Finding more takes too long, as the square of their number: then all that stands between the ends differs. */
const MOST_DIFFERENCES = 500;

/** @see Myers 1986, "An O(ND) Difference Algorithm and Its Variations", figure 2 */
function fewestDifferences(from: string, to: string): number {
  /** By diagonal: how far `from` was gone along. */
  const reached = new Map([[1, 0]]);
  const at = (diagonal: number) => reached.get(diagonal) ?? -1;
  for (let differences = 0; differences <= MOST_DIFFERENCES; differences++) {
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = Math.max(at(diagonal + 1), at(diagonal - 1) + 1);
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++;
      if (x >= from.length && x - diagonal >= to.length) return differences;
      reached.set(diagonal, x);
    }
  }
  return from.length + to.length;
}

interface Load {
  lastedMs: number;
  /** Of a core. */
  percent: number;
}

/** The server's CPU between each two samples; empty if the system does not tell. */
function loadsOf(samples: readonly ServerSample[]): Load[] {
  return samples.slice(1).flatMap(({ atMs, cpuMs }, index) => {
    const before = samples[index]!;
    const lastedMs = atMs - before.atMs;
    if (cpuMs === null || before.cpuMs === null || lastedMs < LEAST_WINDOW_MS) return [];
    return [{ lastedMs, percent: (100 * (cpuMs - before.cpuMs)) / lastedMs }];
  });
}

function busyMsOf(loads: readonly Load[]): number {
  return loads.reduce((sum, { lastedMs, percent }) => sum + (percent > BUSY_PERCENT ? lastedMs : 0), 0);
}

function notesOf(
  { marks, sockets, texts, unlikeModels, limitMs, fromMs, toMs }: StormOutcome,
  counts: Record<
    'away' | 'socketsAway' | 'unknownSockets' | 'lostCharacters' | 'doubledCharacters' | 'usersBusyMs' | 'serverBusyMs',
    number
  >,
): RecordLine[] {
  const { away, socketsAway, unknownSockets, lostCharacters, doubledCharacters, usersBusyMs, serverBusyMs } = counts;
  const gone = marks.flatMap(({ lost }) => lost ?? []);
  const why = gone.length === 0 ? '' : `; ${gone.length} gave up, the first: ${gone[0]!.slice(0, 300)}`;
  const turnedAway = sockets.find((each) => each.turnedAway !== null)?.turnedAway ?? 'the server did not answer';
  const aloneMs = unknownSockets > 0 ? [] : sockets.flatMap((each) => each.aloneMs);
  const alone = arrivals(aloneMs, fromMs + limitMs).length;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return noteLines({
    'not-back': [
      away > 0,
      `${away} of ${marks.length} users with clients were not back within ${seconds(limitMs)}${why}`,
    ],
    'sockets-not-back': [
      socketsAway > 0,
      `${socketsAway} users who are sockets did not have the document within ${seconds(limitMs)}; one of them: ${turnedAway.slice(0, 300)}`,
    ],
    'sockets-alone': [
      alone > 0,
      `${alone} users who are sockets had the document only after a pause of ${seconds(LONELY_MS)} of the harness’s own, since no client of a live user tried to connect any more: the library’s own pauses may be others`,
    ],
    'sockets-unknown': [
      unknownSockets > 0,
      `it is not known when the ${unknownSockets} users who are sockets had the document: a server of this framework answers them alike after it has forgotten it`,
    ],
    'lost-text': [lostCharacters > 0, `${lostCharacters} characters are missing in one user’s document or another’s`],
    'doubled-text': [
      doubledCharacters > 0,
      `${doubledCharacters} characters of one user’s document or another’s nobody typed, or they stand there twice`,
    ],
    diverged: [texts.length > 1, `users hold ${texts.length} different documents in the end`],
    'model-differs': [unlikeModels > 0, 'a user’s model does not hold what its editor shows'],
    'users-busy': [
      usersBusyMs > Math.max(LEAST_BUSY_MS, serverBusyMs, LARGE_SHARE * (toMs - fromMs)),
      `a process of users had hardly any rest for ${seconds(usersBusyMs)} of ${seconds(toMs - fromMs)}, the server took more than ${BUSY_PERCENT} % of a core for ${seconds(serverBusyMs)}: the times are this machine’s, and shorter with more cores for users`,
    ],
  });
}
