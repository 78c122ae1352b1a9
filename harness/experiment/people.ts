/**
 * People: how those who write together type. Bursts of keys, pauses between them, absences, jumps of the cursor, rare pastes.
 *
 * Published figures, from which no text is taken:
 * - Bursts are what stands between pauses of 2 s and more (Kaufer, Hayes and Flower 1986, "Composing written sentences").
 * - Times between keys, and pauses, are log-normal (Baaijen, Galbraith and de Glopper 2012, doi 10.1177/0741088312451108;
 *   Roeser, De Maeyer, Leijten and Van Waes 2024, doi 10.1007/s11145-021-10203-z).
 * - 168,000 typists copy 52 words a minute, 4.3 keys a second (Dhakal, Feit, Kristensson and Oulasvirta 2018, doi
 *   10.1145/3173574.3174220). Writers of 2,471 essays (KLiCKe's public half, CC BY 4.0: Tian, Crossley and Van Waes, Journal of
 *   Writing Research) made 8,405,898 events in about half an hour each, 1.9 a second. So about half of their time is pauses, as here.
 * - Authors of 14,000 shared documents mostly take turns (D'Angelo, Di Iorio and Zacchiroli 2018, doi 10.1145/3274310).
 *
 * Absences, jumps and pastes have no published figures: theirs are choices.
 */
import type { Typing } from './experiment.ts';

/** Mean of a burst, s. */
export const BURST_S = 3.5;
/** Spread of the times between its keys: the standard deviation of their logarithm. */
export const KEY_SPREAD = 0.5;
/** A pause: the least that is one, s; the median of what it lasts beyond, s; and the spread of that. */
export const LEAST_PAUSE_S = 2;
export const PAUSE_MEDIAN_S = 1;
export const PAUSE_SPREAD = 1;
/** Mean of a pause, s. */
export const PAUSE_S = LEAST_PAUSE_S + PAUSE_MEDIAN_S * Math.exp(PAUSE_SPREAD ** 2 / 2);
/** Odds that a pause is an absence: the user reads, talks or is away. */
export const ABSENCE_ODDS = 1 / 8;
/** Mean of an absence, s: with it users are absent for four tenths of the time. */
export const ABSENCE_S = 40;

/** Odds that the cursor jumps after a pause, and how far, in UTF-16 units: all orders of magnitude alike. */
export const JUMP_ODDS = 1 / 4;
export const JUMP = [20, 2000] as const;
/** Odds that an edit is a paste of the trace's keys from there on, and how many it has at most. */
export const PASTE_ODDS = 1 / 500;
export const PASTE = [20, 100] as const;

/** Mean time between bursts, s. */
export const BETWEEN_BURSTS_S = (1 - ABSENCE_ODDS) * PAUSE_S + ABSENCE_ODDS * ABSENCE_S;
/** Share of the time in which a user is in a burst, in the long run. */
export const TYPING_SHARE = BURST_S / (BURST_S + BETWEEN_BURSTS_S);

/** Edits per second that fall due for a user, in the long run. */
export function meanKeysPerSecond({ keysPerSecond, rhythm }: Pick<Typing, 'keysPerSecond' | 'rhythm'>): number {
  return rhythm === 'human' ? keysPerSecond * TYPING_SHARE : keysPerSecond;
}
