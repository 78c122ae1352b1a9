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
import type { Edit } from '../../../traces/edits.ts';
import type { Typing } from '../../experiment/experiment.ts';

/** Mean of a burst, s. */
export const BURST_S = 3.5;
/** Spread of the times between its keys: the standard deviation of their logarithm. */
export const KEY_SPREAD = 0.5;
/** A pause: the least that is one, s; the median of what it lasts beyond, s; and the spread of that. */
export const LEAST_PAUSE_S = 2;
const PAUSE_MEDIAN_S = 1;
const PAUSE_SPREAD = 1;
/** Mean of a pause, s. */
export const PAUSE_S = LEAST_PAUSE_S + PAUSE_MEDIAN_S * Math.exp(PAUSE_SPREAD ** 2 / 2);
/** Odds that a pause is an absence: the user reads, talks or is away. */
export const ABSENCE_ODDS = 1 / 8;
/** Mean of an absence, s: with it users are absent for four tenths of the time. */
export const ABSENCE_S = 40;

/** Odds that the cursor jumps after a pause, and how far, in UTF-16 units: all orders of magnitude alike. */
export const JUMP_ODDS = 1 / 4;
const JUMP = [20, 2000] as const;
/** Odds that an edit is a paste of the trace's keys from there on, and how many it has at most. */
export const PASTE_ODDS = 1 / 500;
const PASTE = [20, 100] as const;

const BETWEEN_BURSTS_S = (1 - ABSENCE_ODDS) * PAUSE_S + ABSENCE_ODDS * ABSENCE_S;
/** Share of the time in which a user is in a burst, in the long run. */
export const TYPING_SHARE = BURST_S / (BURST_S + BETWEEN_BURSTS_S);

/** Edits per second that fall due for a user, in the long run. */
export function meanKeysPerSecond({ keysPerSecond, rhythm }: Pick<Typing, 'keysPerSecond' | 'rhythm'>): number {
  return rhythm === 'human' ? keysPerSecond * TYPING_SHARE : keysPerSecond;
}

/** A user's keys in time. */
export interface PeopleKeys {
  /** Time from the key before to this one, or from the start to the first, s; asked once for each, in their order. */
  gapS(k: number): number;
  /** True if the user paused before this key. */
  followsPause(k: number): boolean;
}

/**
 * @param options.keysPerSecond within a burst
 * @param options.isWhole true if no pause may come before key k: nobody pauses within a sigil
 * @param options.wholeShare share of the keys of which that is so
 * @param options.random draws from [0, 1)
 */
export function peopleKeys(options: {
  keysPerSecond: number;
  isWhole: (k: number) => boolean;
  wholeShare: number;
  random: () => number;
}): PeopleKeys {
  const { keysPerSecond, isWhole, wholeShare, random } = options;
  // The other keys end bursts the more often, so that these are as long as without sigils.
  const endOdds = 1 / (BURST_S * keysPerSecond) / (1 - wholeShare);
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const logNormal = (median: number, spread: number) => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return median * Math.exp(spread * normal);
  };
  const keyS = () => logNormal(Math.exp(-(KEY_SPREAD ** 2) / 2) / keysPerSecond, KEY_SPREAD);
  const pauseS = () => LEAST_PAUSE_S + logNormal(PAUSE_MEDIAN_S, PAUSE_SPREAD);
  const absenceS = () => LEAST_PAUSE_S + exponential(ABSENCE_S - LEAST_PAUSE_S);
  const restS = () => (random() < ABSENCE_ODDS ? absenceS() : pauseS());
  /** Rest of a pause or an absence in which the user may be at the start. */
  const firstRestS = () => {
    const inCycleS = random() * (BURST_S + BETWEEN_BURSTS_S) - BURST_S;
    if (inCycleS < 0) return 0;
    return inCycleS < ABSENCE_ODDS * ABSENCE_S ? exponential(ABSENCE_S) : random() * pauseS();
  };
  const afterPause = new Set<number>();
  return {
    gapS(k) {
      if (k === 0) return firstRestS() + keyS();
      if (isWhole(k) || random() >= endOdds) return keyS();
      afterPause.add(k);
      return restS() + keyS();
    },
    followsPause: (k) => afterPause.has(k),
  };
}

/**
 * The next edit of a trace as a person makes it: as a paste, now and then, or elsewhere after a pause.
 *
 * @param following the trace's edit so many places after it
 * @returns the edit, and how many of the trace's edits are in it
 */
export function asPeopleDo(
  edit: Edit,
  options: { followsPause: boolean; following: (places: number) => Edit; random: () => number },
): { edit: Edit; taken: number } {
  const { followsPause, following, random } = options;
  const between = ([least, most]: readonly [number, number]) => Math.round(least * (most / least) ** random());
  const jump = followsPause && random() < JUMP_ODDS ? between(JUMP) * (random() < 0.5 ? -1 : 1) : 0;
  const moved = { ...edit, move: edit.move + jump };
  if (edit.kind !== 'key' || random() >= PASTE_ODDS) return { edit: moved, taken: 1 };
  const most = between(PASTE);
  let text = edit.text;
  let taken = 1;
  for (let next = following(taken); taken < most && next.kind === 'key' && next.move === 0; next = following(taken)) {
    text += next.text;
    taken++;
  }
  return { edit: taken === 1 ? moved : { kind: 'paste', move: moved.move, text }, taken };
}
