/** The choice of a run's faults and their moments. */
import * as prng from 'lib0/prng';
import { FAULTS, type Fault } from './faults.ts';
import type { Subject } from './subjects.ts';

/** Before the first trial. */
export const START = 'start';
/** The one phase of trials in which nobody types. */
export const TRIAL = 'trial';
/** Of the others, in their order. */
const PHASES = [START, 'serve', 'admit', 'ready', 'idle', 'warm-up', 'measure', 'profile', 'settle', 'collect', 'done'];
/** Most faults are to find a trial under way. */
const PHASES_OF_DOCUMENTS = [START, TRIAL, TRIAL, TRIAL];

/** Most of the kinds of faults are done to the coordinator; not so most faults. */
const COORDINATORS_SHARE = 0.35;

/** A fault to come: its delay counts from the first moment that is not before its phase. */
export interface Strike {
  fault: Fault;
  phase: string;
  delayMs: number;
}

export function chooseStrike({ roles, types, delayMs, containers = false }: Subject, random: prng.PRNG): Strike {
  const ofCoordinator = FAULTS.filter(({ role }) => role === 'coordinator');
  const ofOthers = FAULTS.filter(
    ({ role, phases, needsAccess = false }) =>
      roles.includes(role) && (types || phases === undefined) && !(containers && needsAccess),
  );
  const fault = prng.oneOf(random, prng.real53(random) < COORDINATORS_SHARE ? ofCoordinator : ofOthers);
  const phases = types ? (fault.phases ?? PHASES) : PHASES_OF_DOCUMENTS;
  return { fault, phase: prng.oneOf(random, [...phases]), delayMs: prng.int31(random, 0, delayMs) };
}

/** @param now the phase that a trial is in; null: it has none */
export function isReached(phase: string, now: string | null): boolean {
  return now === null || PHASES.indexOf(now) >= PHASES.indexOf(phase);
}
