/** A fleet as the harness uses it, found by its name: the default export of `<name>/fleet.ts`. */

import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { MODES, type Mode } from '../../frameworks/modes.ts';
import type { FleetName } from '../../infra/fleets.ts';
import { freeMemoryMiB } from '../../infra/machine/container.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { LIVE_CROWD_MODE } from '../trial/trial-users.ts';
import type { Runner, RunnerOptions } from './runner.ts';

export interface FleetKind {
  /**
   * Readies all that the trials of a run share.
   *
   * @throws UserError (exit code 2, 3) if the experiment cannot run there, or this machine or an account is not ready for it
   */
  open(options: RunnerOptions): Promise<Runner>;
  /**
   * Checks that this machine can hold the trials that are to run; a fleet whose processes run elsewhere need not.
   *
   * @throws UserError (2) with the number of users that fit
   */
  checkMachine?(trials: readonly PlannedTrial[], machine: Machine): void;
  /** Lines for `scriptorium plan`: the needs of each mode's largest cell, and warnings if there is less. */
  planLines(experiment: Experiment, machine: Machine): string[];
  /** Adds its own commands to the command line. */
  addCommands?(program: Command): void;
}

export async function loadFleet(name: FleetName): Promise<FleetKind> {
  const { default: kind } = (await import(`./${name}/fleet.ts`)) as { default: FleetKind };
  return kind;
}

/** Memory of a crowd's user. */
export const CROWD_USER_MIB: number = MODES[LIVE_CROWD_MODE].userCost.memoryMiB;

export interface Machine {
  cores: number;
  /** Memory that is free for new processes. */
  availableMemoryMiB: number;
}

export function thisMachine(): Machine {
  return { cores: availableParallelism(), availableMemoryMiB: freeMemoryMiB() };
}

/**
 * How many users the machine's free memory holds, roughly. Each of a crowd holds a document too: in the trial, or while the crowd is
 * recorded.
 *
 * @param live users in this mode, as an experiment's `probes`; the others are a crowd
 */
export function usersThatFit(mode: Mode, { availableMemoryMiB }: Machine, live: Experiment['probes']): number {
  const liveUserMiB = MODES[mode].userCost.memoryMiB;
  const fitting = Math.floor(availableMemoryMiB / liveUserMiB);
  if (live === 'all' || fitting < live) return fitting;
  return live + Math.floor((availableMemoryMiB - live * liveUserMiB) / CROWD_USER_MIB);
}

export function formatMachine({ cores, availableMemoryMiB }: Machine): string {
  return `this machine: ${cores} cores, ${formatGiB(availableMemoryMiB)} of memory available`;
}

export function formatGiB(memoryMiB: number): string {
  return `${(memoryMiB / 1024).toFixed(1)} GiB`;
}
