/** What users type, how often, and for how long. */
import { SIGIL_LENGTH, SIGIL_NUMBERS } from '../../../editors/base/sigils.ts';
import { formatAbout, formatDuration } from '../duration.ts';
import { nearest } from '../nearest.ts';
import type { Rule } from './rule.ts';

/** What numbers there are for one user's sigils; the last is the marker's by which a trial proves that it is ready. */
const MOST_SIGILS = SIGIL_NUMBERS - 1;
/** At most half of what a user types may be sigils: the rest is the trace, which the measurement is about. */
const SIGIL_SHARE = 0.5;

const traceIsKnown: Rule = {
  reads: ['trace'],
  check({ trace }, { traces }) {
    if (traces === null || traces.includes(trace)) return [];
    const meant = nearest(trace, traces);
    const hint = meant === null ? '' : ` (did you mean "${meant}"?)`;
    const known = `write one of: ${traces.join(', ')}`;
    const text = `there is no trace "${trace}"${hint}; ${known}; or add one: ./scriptorium traces add FILE --name ${trace}`;
    return [{ paths: [['trace']], text }];
  },
};

const oddsAddUp: Rule = {
  reads: ['typing.formatOdds'],
  check({ typing: { formatOdds } }) {
    const sum = formatOdds.inline + formatOdds.range + formatOdds.block;
    if (sum <= 1) return [];
    const text = `the odds add up to ${sum}; write odds that add up to 1 at most`;
    return [{ paths: [['typing', 'formatOdds']], text }];
  },
};

const sigilsLeaveRoom: Rule = {
  reads: ['typing.keysPerSecond', 'typing.sigilPeriod'],
  check({ typing: { keysPerSecond, sigilPeriodMs } }) {
    const shortestMs = Math.ceil((SIGIL_LENGTH / SIGIL_SHARE / keysPerSecond) * 1000);
    if (sigilPeriodMs >= shortestMs) return [];
    const text =
      `${formatDuration(sigilPeriodMs)} is too short: the ${SIGIL_LENGTH} keys of a sigil would be more than half of ` +
      `those typed at ${keysPerSecond} per second; write ${formatDuration(shortestMs)} or longer`;
    const paths = [
      ['typing', 'sigilPeriod'],
      ['typing', 'keysPerSecond'],
    ];
    return [{ paths, text }];
  },
};

const windowHoldsASigil: Rule = {
  reads: ['durations.measure', 'typing.sigilPeriod'],
  check({ durations: { measureMs }, typing: { sigilPeriodMs } }) {
    if (measureMs >= sigilPeriodMs) return [];
    const period = formatDuration(sigilPeriodMs);
    const text =
      `a measured window of ${formatDuration(measureMs)} is shorter than the sigil period of ${period}, so latency ` +
      `might never be measured; write ${period} or longer`;
    const paths = [
      ['durations', 'measure'],
      ['typing', 'sigilPeriod'],
    ];
    return [{ paths, text }];
  },
};

const sigilsLast: Rule = {
  reads: ['durations', 'typing.sigilPeriod', 'typing.keysPerSecond'],
  check({ durations: { warmUpMs, measureMs, profileMs }, typing: { sigilPeriodMs, keysPerSecond } }) {
    const typingMs = warmUpMs + measureMs + profileMs;
    // A period is a whole number of keys, and so up to half a key's time shorter than what is written.
    const shortestMs = Math.ceil(typingMs / MOST_SIGILS + 500 / keysPerSecond);
    if (sigilPeriodMs >= shortestMs) return [];
    const text =
      `${formatDuration(sigilPeriodMs)} is too short for ${formatAbout(typingMs)} of typing: each user has ${MOST_SIGILS} ` +
      `sigils of its own; write ${formatDuration(shortestMs)} or longer`;
    return [{ paths: [['typing', 'sigilPeriod'], ['durations']], text }];
  },
};

export const TYPING_RULES: readonly Rule[] = [traceIsKnown, oddsAddUp, sigilsLeaveRoom, windowHoldsASigil, sigilsLast];
