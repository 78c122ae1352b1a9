/** The options of a trial, and the observer of its progress. */

import type { Timer } from '../../infra/clock.ts';
import type { Fleet } from '../../infra/fleet.ts';
import type { Phase, RecordLine } from '../../results/formats/records.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Edit } from '../../traces/edit.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { DocumentSource } from './document-source.ts';
import type { TrialUser } from './trial-users.ts';
import type { TrialCrowd } from './user-processes.ts';

export interface TrialOptions {
  planned: PlannedTrial;
  experiment: Experiment;
  /** The framework's version, as this process finds it installed. */
  version: string;
  /** Where its document is. */
  source: DocumentSource;
  /** The text that the document holds before anyone types. */
  startText: string;
  /** The edits of a user who types itself. */
  editsFor: (user: TrialUser) => Edit[];
  fleet: Fleet;
  /** Null: no user opens a page. */
  pageFolder: string | null;
  /** The users who are no probes; absent: there are none. */
  crowd?: TrialCrowd;
  /** Where this trial's records go. */
  directory: string;
  show: boolean;
  observer: TrialObserver;
  /** Aborts when the person interrupts the run. */
  signal: AbortSignal;
  timer?: Timer;
}

export interface TrialObserver {
  onPhase(phase: Phase, endsAtMs: number | null): void;
  /** @param user number of the user that the lines are of; null: the server */
  onRecords(user: number | null, lines: RecordLine[]): void;
}
