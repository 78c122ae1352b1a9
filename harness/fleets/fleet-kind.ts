/** What a fleet does for the harness; the default export of `<name>/fleet.ts`. */
import type { Command } from 'commander';
import type { Experiment } from '../experiment/experiment.ts';
import type { Machine } from '../machine/capacity.ts';
import type { Runner, RunnerOptions } from '../runner.ts';

export interface FleetKind {
  /**
   * Readies all that the trials of a run share.
   *
   * @throws UserError (exit code 2, 3) where the experiment cannot run there, or this machine or an account is not ready for it
   */
  open(options: RunnerOptions): Promise<Runner>;
  /** Lines for `scriptorium plan`: what the largest cell of each mode takes, and warnings where there is less. */
  planLines(experiment: Experiment, machine: Machine): string[];
  /** Adds its own commands to the command line. */
  addCommands?(program: Command): void;
}
