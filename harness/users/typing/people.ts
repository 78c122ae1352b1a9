/** People's keys in time, and their edits: the rhythm `human`, by the figures of ../../experiment/people.ts. */
import type { Edit } from '../../../traces/edits.ts';
import {
  ABSENCE_ODDS,
  ABSENCE_S,
  BETWEEN_BURSTS_S,
  BURST_S,
  JUMP,
  JUMP_ODDS,
  KEY_SPREAD,
  LEAST_PAUSE_S,
  PASTE,
  PASTE_ODDS,
  PAUSE_MEDIAN_S,
  PAUSE_SPREAD,
} from '../../experiment/people.ts';

/**
 * A user's keys in time.
 *
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
}) {
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
    /** Time from the key before to this one, or from the start to the first, s; asked once for each, in their order. */
    gapS(k: number): number {
      if (k === 0) return firstRestS() + keyS();
      if (isWhole(k) || random() >= endOdds) return keyS();
      afterPause.add(k);
      return restS() + keyS();
    },
    /** True if the user paused before this key. */
    followsPause: (k: number): boolean => afterPause.has(k),
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
