/**
 * Judges a trial by its history alone. Each check looks for one defect and says what it saw; a finding makes the trial
 * invalid, but for one that says that something cannot be known: that makes it unknown, which is neither.
 */
import { onlyKnown } from '../../analysis/statistics/known-figures.ts';
import type { RecordOf } from '../../results/formats/records.ts';
import type { Reason, Verdict } from '../../results/formats/verdict.ts';
import { clockBoundMs, type Interval } from './clock-bound.ts';
import { type UserLines, worstDriver } from './driver-lag.ts';
import { ofType, type TrialHistory } from './history.ts';

/**
 * The driver's own lateness at which it, not the framework, limits the typing: at the 95th percentile of edits, a third
 * of the interval between two keys at 6 keys per second.
 */
export const DRIVER_LAG_LIMIT_MS = 50;
/** From here on the machine as a whole is as likely the limit as the framework; a trial says so. */
const MACHINE_BUSY_PERCENT = 95;

/** The codes of reasons that say what could not be found out. */
const NOT_KNOWN = ['check-failed', 'not-compared'];

type Check = (history: TrialHistory) => Reason[];

const CHECKS: Check[] = [
  faults,
  missingRecords,
  divergence,
  notCompared,
  editorsUnlikeModels,
  screensUnlikeEditors,
  swallowedEdits,
  lostEdits,
  saturatedDriver,
  uncertainClocks,
];

export function judge(history: TrialHistory): Verdict {
  const reasons: Reason[] = [];
  for (const check of CHECKS) {
    try {
      reasons.push(...check(history));
    } catch (error) {
      reasons.push({ code: 'check-failed', message: `the check ${check.name} could not be made: ${error}` });
    }
  }
  const invalid = reasons.some(({ code }) => !NOT_KNOWN.includes(code));
  return {
    schemaVersion: 1,
    verdict: invalid ? 'invalid' : reasons.length > 0 ? 'unknown' : 'valid',
    reasons,
    notes: [...busyMachine(history), ...reconnections(history), ...closedModels(history)],
    converged: history.converged,
  };
}

/** What the harness itself met: a lost user, a server that ended, a step that took too long. */
function faults({ faults }: TrialHistory): Reason[] {
  return faults;
}

function missingRecords(history: TrialHistory): Reason[] {
  // A trial that a fault ended early has no ends of records to look for.
  if (history.faults.length > 0) return [];
  const incomplete = history.expected.flatMap((record) => {
    const lines = history.linesOf(record);
    const isUser = record.startsWith('user');
    const wanted = isUser ? (['process', 'clock', 'settled'] as const) : (['process'] as const);
    const missing = wanted.filter((type) => ofType(lines, type).length === 0);
    return missing.length > 0 ? [`${record} (no ${missing.join(', no ')} line)`] : [];
  });
  return incomplete.length === 0
    ? []
    : [{ code: 'missing-record', message: `records are missing or incomplete: ${enumerate(incomplete)}` }];
}

function divergence(history: TrialHistory): Reason[] {
  // What cannot be compared is no divergence; but the others must agree all the same.
  const users = settled(history).filter(([, line]) => comparedDigest(line) !== null);
  const groups = Map.groupBy(users, ([, line]) => comparedDigest(line));
  if (groups.size > 1) {
    const sizes = [...groups.values()].map((group) => `${enumerate(group.map(([user]) => user))}`);
    return [
      {
        code: 'diverged',
        message: `${groups.size} different documents among ${users.length} replicas after settling: ${sizes.join(' | ')}`,
      },
    ];
  }
  // The digests are equal now, but the proof was not made in time.
  return history.converged === false
    ? [{ code: 'not-settled', message: 'the replicas did not reach one document within the settle time' }]
    : [];
}

/** The proof that all hold one document could not be made, nor refuted: of another's service not every screen may be readable. */
function notCompared(history: TrialHistory): Reason[] {
  // Of a trial that a fault ended early, nothing was to be proved yet.
  if (history.converged !== null || history.faults.length > 0) return [];
  const unread = settled(history).filter(([, line]) => comparedDigest(line) === null);
  const where = unread.length === 0 ? '' : ` at ${enumerate(names(unread))}`;
  return [
    {
      code: 'not-compared',
      message: `whether all hold one document is not known: not every screen could be read from top to bottom${where}`,
    },
  ];
}

function editorsUnlikeModels(history: TrialHistory): Reason[] {
  const users = settled(history).filter(([, line]) => line.shownModelDigest !== line.editorDigest);
  return users.length === 0
    ? []
    : [{ code: 'editor-differs', message: `the editor differs from its model at ${enumerate(names(users))}` }];
}

function screensUnlikeEditors(history: TrialHistory): Reason[] {
  const users = settled(history).filter(
    ([, { editorTextDigest, screenTextDigest }]) => editorTextDigest !== null && screenTextDigest !== editorTextDigest,
  );
  return users.length === 0
    ? []
    : [
        {
          code: 'screen-differs',
          message: `the screen shows other text than the editor holds at ${enumerate(names(users))}`,
        },
      ];
}

/** Keys that the browser acknowledged but the editor never got, as when it lost the focus. */
function swallowedEdits(history: TrialHistory): Reason[] {
  return settled(history).flatMap(([user, { typedCharacters, insertedCharacters }]) =>
    insertedCharacters === null || insertedCharacters >= typedCharacters
      ? []
      : [
          {
            code: 'swallowed-edits',
            message: `${user} typed ${typedCharacters} characters, but its editor took only ${insertedCharacters}`,
          },
        ],
  );
}

/**
 * A conservation law: the document holds at least what all users put in less what all took out, and the first "\n".
 * (Not exactly as much, because two users may delete the same character.)
 */
function lostEdits(history: TrialHistory): Reason[] {
  const users = settled(history).map(([, line]) => line);
  const inserted = sumOfKnown(users.map(({ insertedCharacters }) => insertedCharacters));
  const deleted = sumOfKnown(users.map(({ deletedCharacters }) => deletedCharacters));
  const lengths = onlyKnown(users.map(({ characters }) => characters));
  if (inserted === null || deleted === null || lengths.length === 0) return [];
  const least = 1 + inserted - deleted;
  const shortest = Math.min(...lengths);
  return shortest >= least
    ? []
    : [
        {
          code: 'lost-edits',
          message: `at least ${least - shortest} inserted characters are lost: users put in ${inserted} and took out ${deleted}, but a document holds only ${shortest}`,
        },
      ];
}

function saturatedDriver(history: TrialHistory): Reason[] {
  const window = measuredSoFar(history);
  const worst = window === null ? null : worstDriver(userRecords(history), window);
  return worst === null || worst.lateMs <= DRIVER_LAG_LIMIT_MS
    ? []
    : [
        {
          code: 'driver-saturated',
          message: `the load generator was the bottleneck: by itself it sent keys ${worst.lateMs.toFixed(0)} ms late at the 95th percentile (limit ${DRIVER_LAG_LIMIT_MS} ms) for ${enumerate(worst.users)}; use fewer users or more cores`,
        },
      ];
}

function uncertainClocks(history: TrialHistory): Reason[] {
  const window = measuredWindow(history);
  const bounds = userRecords(history).flatMap(([user, lines]) => {
    const errorMs = clockBoundMs(ofType(lines, 'clock'), window);
    return errorMs === null ? [] : [{ user, errorMs }];
  });
  const beyond = bounds.filter(({ errorMs }) => errorMs > history.clockErrorLimitMs);
  return beyond.length === 0
    ? []
    : [
        {
          code: 'clock-uncertain',
          message: `the clock is known only within ${Math.max(...beyond.map(({ errorMs }) => errorMs)).toFixed(1)} ms (limit ${history.clockErrorLimitMs} ms) at ${enumerate(beyond.map(({ user }) => user))}`,
        },
      ];
}

/** Null where the trial did not come to its end. */
function measuredWindow(history: TrialHistory): Interval | null {
  const fromMs = history.phaseStartMs('measure');
  const toMs = history.phaseStartMs('profile') ?? history.phaseStartMs('settle');
  return fromMs === null || toMs === null ? null : { fromMs, toMs };
}

/** The measured window, or what the trial came to of it; null where it did not come to it. */
function measuredSoFar(history: TrialHistory): Interval | null {
  const fromMs = history.phaseStartMs('measure');
  return fromMs === null ? null : (measuredWindow(history) ?? { fromMs, toMs: Number.POSITIVE_INFINITY });
}

function busyMachine(history: TrialHistory): Reason[] {
  // What follows the measured window is calmer, and would hide a busy one.
  const window = measuredSoFar(history);
  if (window === null) return [];
  const samples = ofType(history.linesOf('coordinator'), 'resources').filter(
    ({ of, atMs }) => of === 'machine' && atMs >= window.fromMs && atMs <= window.toMs,
  );
  const [first, last] = [samples.at(0), samples.at(-1)];
  if (first === undefined || last === undefined || last.atMs === first.atMs || last.cores === null) return [];
  const percent = (100 * (last.cpuMs - first.cpuMs)) / (last.atMs - first.atMs) / last.cores;
  return percent < MACHINE_BUSY_PERCENT
    ? []
    : [
        {
          code: 'machine-busy',
          message: `the machine's ${last.cores} cores were ${percent.toFixed(0)} % busy: the figures are this machine's limit as much as the framework's`,
        },
      ];
}

function reconnections(history: TrialHistory): Reason[] {
  const users = userRecords(history).flatMap(([user, lines]) => {
    const times = ofType(lines, 'reconnected').length;
    return times === 0 ? [] : [`${user} (${times} ×)`];
  });
  return users.length === 0
    ? []
    : [{ code: 'reconnected', message: `a connection to the server broke and came back at ${enumerate(users)}` }];
}

/** Another's service shows its screens only: less is proved there, and a reader must know. */
function closedModels(history: TrialHistory): Reason[] {
  const users = settled(history).map(([, line]) => line);
  if (users.every(({ modelDigest }) => modelDigest !== null)) return [];
  return [
    {
      code: 'model-not-open',
      message:
        "model, formats and saved state are not open to inspection, nor what each user's own edits did; users are compared by the text, without spaces and formats, that their screens show from top to bottom",
    },
  ];
}

function userRecords(history: TrialHistory): UserLines[] {
  return history.expected
    .filter((record) => record.startsWith('user'))
    .map((record): UserLines => [record, history.linesOf(record)]);
}

function settled(history: TrialHistory): [user: string, line: RecordOf<'settled'>][] {
  return userRecords(history).flatMap(([user, lines]) => {
    const line = ofType(lines, 'settled').at(-1);
    return line === undefined ? [] : [[user, line] as [string, RecordOf<'settled'>]];
  });
}

function names(users: [user: string, ...unknown[]][]): string[] {
  return users.map(([user]) => user);
}

/** At most so many names stand in one message. */
const LISTED = 8;
function enumerate(items: readonly string[]): string {
  const rest = items.length - LISTED;
  return rest > 0 ? `${items.slice(0, LISTED).join(', ')} and ${rest} more` : items.join(', ');
}

/** Null where one is not known. */
function sumOfKnown(numbers: readonly (number | null)[]): number | null {
  const known = onlyKnown(numbers);
  return known.length < numbers.length ? null : known.reduce((total, each) => total + each, 0);
}

function comparedDigest({ modelDigest, screenTextDigest }: RecordOf<'settled'>): string | null {
  return modelDigest ?? screenTextDigest;
}
