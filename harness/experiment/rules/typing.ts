/** Typing: the typists, their rhythm and duration, and the document's text before. */
import { SIGIL_LENGTH, SIGIL_NUMBERS } from '../../../editors/base/sigils.ts';
import { FLEETS } from '../../../infra/fleets.ts';
import { didYouMean } from '../../../results/nearest.ts';
import { LEAST_PROBES } from '../experiment.ts';
import { BURST_S, meanKeysPerSecond } from '../people.ts';
import { leastSettleMs } from '../settling.ts';
import { formatAbout, formatDuration } from '../units.ts';
import { isPlayed } from './frameworks.ts';
import { fleetsWith, type Known, namedIn, nothingTwice, rule } from './rule.ts';

/** Numbers for one user's sigils; the last is the marker's by which a trial proves that it is ready. */
const MOST_SIGILS = SIGIL_NUMBERS - 1;
/** At most half of what a user types may be sigils: the rest is the trace, which the measurement is about. */
const SIGIL_SHARE = 0.5;
/** Keys per second of people, at least: below, a burst is hardly more than a key. */
const LEAST_KEYS_OF_PEOPLE = 1;

/** The refusal of a trace that is not there; null: it is, or nobody knows. @param or the other way out */
export function unknownTrace(
  trace: string | null,
  traces: Known['traces'],
  or = `add one: ./scriptorium traces add FILE --name ${trace}`,
): string | null {
  if (traces === null || trace === null || traces.includes(trace)) return null;
  return `there is no trace "${trace}"${didYouMean(trace, traces)}; write one of: ${traces.join(', ')}; or ${or}`;
}

export const TYPING_RULES = {
  noFrameworkTwice: nothingTwice('frameworks'),
  noModeTwice: nothingTwice('modes'),
  noUserCountTwice: nothingTwice('users'),
  noAgentsTwice: nothingTwice('agents'),
  noReaderCountTwice: nothingTwice('readers'),

  writersAreUsers: rule(['writers', 'users'], ({ writers, users }) => {
    const fewest = Math.min(...users);
    if (writers === 'all' || writers <= fewest) return null;
    return `${writers} writers are more than the ${fewest} users of the smallest cell; write ${fewest} at most, or all`;
  }),

  probesLeaveACrowd: rule(['probes', 'users'], ({ probes, users }) => {
    const fewest = Math.min(...users);
    if (probes === 'all' || probes < fewest) return null;
    const remedy =
      fewest > LEAST_PROBES ? `write ${fewest - 1} at most, or all` : `write all, or larger counts of users`;
    return `${probes} probes of the ${fewest} users of the smallest cell leave no crowd; ${remedy}`;
  }),

  fleetHasACrowd: rule(['probes', 'fleet.on'], ({ probes, fleet: { on } }) => {
    if (probes === 'all' || FLEETS[on].isHere) return null;
    return `no crowd is played on ${on} yet, so all users are live there; write all, or "on: ${fleetsWith('isHere')}"`;
  }),

  startIsKnown: rule(['start.trace'], ({ start: { trace } }, { traces }) => unknownTrace(trace, traces, 'null'), [
    'start',
  ]),

  startIsSent: rule(
    ['start.trace', 'fleet.on'],
    ({ start, trace, fleet: { on } }) => {
      // If regions are really apart, the coordinator is there too, and is sent one trace.
      if (!FLEETS[on].regions || start.trace === null || start.trace === trace) return null;
      return `on ${on} the document can begin only as the trace that users replay ends; write "${trace}", or null`;
    },
    ['start', 'trace', 'fleet.on'],
  ),

  traceIsKnown: rule(['trace'], ({ trace }, { traces }) => unknownTrace(trace, traces)),

  oddsAddUp: rule(['typing.formatOdds'], ({ typing: { formatOdds } }) => {
    const sum = formatOdds.inline + formatOdds.range + formatOdds.block;
    return sum <= 1 ? null : `the odds add up to ${sum}; write odds that add up to 1 at most`;
  }),

  peopleTypeInBursts: rule(['typing.keysPerSecond', 'typing.rhythm'], ({ typing: { keysPerSecond, rhythm } }) => {
    if (rhythm !== 'human' || keysPerSecond >= LEAST_KEYS_OF_PEOPLE) return null;
    return `at ${keysPerSecond} keys per second a burst of ${BURST_S} s has hardly a key; write ${LEAST_KEYS_OF_PEOPLE} or more`;
  }),

  sigilsLeaveRoom: rule(['typing.sigilPeriod', 'typing.keysPerSecond', 'typing.rhythm'], ({ typing }) => {
    const { sigilPeriodMs } = typing;
    const keysPerSecond = meanKeysPerSecond(typing);
    const shortestMs = Math.ceil((SIGIL_LENGTH / SIGIL_SHARE / keysPerSecond) * 1000);
    if (sigilPeriodMs >= shortestMs) return null;
    return (
      `${formatDuration(sigilPeriodMs)} is too short: the ${SIGIL_LENGTH} keys of a sigil would be more than half of ` +
      `those typed at ${Number(keysPerSecond.toPrecision(2))} per second; write ${formatDuration(shortestMs)} or longer`
    );
  }),

  windowHoldsASigil: rule(['durations.measure', 'typing.sigilPeriod'], ({ durations, typing }) => {
    if (durations.measureMs >= typing.sigilPeriodMs) return null;
    const period = formatDuration(typing.sigilPeriodMs);
    return (
      `a measured window of ${formatDuration(durations.measureMs)} is shorter than the sigil period of ${period}, so latency ` +
      `might never be measured; write ${period} or longer`
    );
  }),

  documentsCanSettle: rule(
    ['durations.settle'],
    (experiment, known) => {
      const { durations, batching, modes } = experiment;
      const users = Math.max(...experiment.users);
      const isBatched = modes.some((mode) => batching.sendModes.includes(mode));
      const needs = namedIn(experiment, known).map((framework) => {
        const gathers = isBatched && framework.about.withoutSendBatching === undefined;
        return leastSettleMs(experiment, { users, isPlayed: isPlayed(framework, experiment), gathers });
      });
      const leastMs = Math.ceil(Math.max(0, ...needs));
      if (durations.settleMs >= leastMs) return null;
      return (
        `${formatDuration(durations.settleMs)} is too short to see that documents stay equal: with this network and batching that ` +
        `takes up to ${formatDuration(leastMs)} by itself, so trials would fail; write ${formatDuration(leastMs)} or longer`
      );
    },
    ['durations.settle', 'network', 'batching', 'users', 'modes', 'frameworks', 'probes'],
  ),

  sigilsLast: rule(
    ['typing.sigilPeriod', 'durations'],
    ({ durations: { warmUpMs, measureMs, profileMs }, typing }) => {
      const { sigilPeriodMs, keysPerSecond } = typing;
      const typingMs = warmUpMs + measureMs + profileMs;
      // A user who never pauses types the sigils of a longer time.
      const mostMs = (typingMs * keysPerSecond) / meanKeysPerSecond(typing);
      // A period is a whole number of keys, and so up to half a key's time shorter than what is written.
      const shortestMs = Math.ceil(mostMs / MOST_SIGILS + 500 / meanKeysPerSecond(typing));
      if (sigilPeriodMs >= shortestMs) return null;
      return (
        `${formatDuration(sigilPeriodMs)} is too short for ${formatAbout(typingMs)} of typing: each user has ${MOST_SIGILS} ` +
        `sigils of its own; write ${formatDuration(shortestMs)} or longer`
      );
    },
    ['durations', 'typing.sigilPeriod', 'typing.keysPerSecond', 'typing.rhythm'],
  ),
};
