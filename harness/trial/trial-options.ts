/** The options of a trial, the observer of its progress, and the place of its document. */

import type { FrameworkAbout } from '../../editors/base/framework.ts';
import type { Timer } from '../../infra/clock.ts';
import type { Fleet } from '../../infra/fleet.ts';
import type { MachineSpeed, Phase, RecordLine, RecordOf } from '../../results/formats/records.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Edit } from '../../traces/edits.ts';
import { documentAddress } from '../attached/address.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { type AttachedServer, type Observed, observedOf } from '../experiment/servers.ts';
import type { ForeignServer } from './protocol.ts';
import type { TrialCrowd, TrialUser } from './trial-users.ts';

/** Things that a run hands on, from the command line down to its trials. */
export interface TrialContext {
  observer: TrialObserver;
  /** Aborts when the person interrupts the run. */
  signal: AbortSignal;
  /** Open real windows to watch. */
  show: boolean;
}

export interface TrialOptions extends TrialContext {
  planned: PlannedTrial;
  experiment: Experiment;
  /** The framework's version, as this process finds it installed. */
  version: string;
  /** Where its document is. */
  source: DocumentSource;
  /** False of users at a server that shares nothing with that of user 0: they have another document. Absent: true of all. */
  meetsUser0?: (user: number) => boolean;
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
  timer?: Timer;
  /** Tests the machine's speed, before anything of the trial runs and after; absent: it is not measured. */
  measureSpeed?: () => Promise<MachineSpeed | null>;
  /** Asked for at the same two moments. */
  lookAround?: () => Promise<RecordOf<'surroundings'>>;
}

export interface TrialObserver {
  onPhase(phase: Phase, endsAtMs: number | null): void;
  /** @param user number of the user that the lines are of; null: the server */
  onRecords(user: number | null, lines: RecordLine[]): void;
}

export interface DocumentSource {
  /** The document's address; null: it is at a server that the trial starts as one of its processes. */
  readonly address: string | null;
  /** Users join so far apart, one after the other; 0: all at once. */
  readonly joinPeriodMs: number;
  /** Longest time that a user takes to tell the contents of its document. */
  readonly readingLimitMs: number;
  /** The way of each connection to a server that somebody else runs; absent: the trial's own, or the framework's hosted one. */
  readonly foreign?: ForeignServer;
  /** Secrets for it, which it may repeat in what it says. */
  readonly secrets?: readonly string[];
  /** The ways in which that server can be seen, if any. */
  readonly observed?: Observed;
}

/** A server of the framework's, started for the trial; users' models show the documents' contents. */
export const OWN_SERVER: DocumentSource = { address: null, joinPeriodMs: 0, readingLimitMs: 250 };

/** True if a process of the trial is the server, or looks at it. */
export function hasServer({ address, observed }: DocumentSource): boolean {
  return address === null || observed !== undefined;
}

/** @throws Error if the trial needs a document's link, and was given none */
export function documentSourceOf(
  { cell, document }: PlannedTrial,
  { hosted, attaches }: Pick<FrameworkAbout, 'hosted' | 'attaches'>,
  server: AttachedServer | null,
): DocumentSource {
  if (server !== null) {
    const { url, headers, ca, token, secrets } = documentAddress(server, document!, attaches!);
    return {
      address: server.url,
      joinPeriodMs: server.joinEveryMs,
      readingLimitMs: OWN_SERVER.readingLimitMs,
      foreign: { url, headers, ca, token },
      secrets,
      observed: observedOf(server),
    };
  }
  if (hosted === undefined) return OWN_SERVER;
  if (document === undefined) throw new Error(`the trial of ${cell} was given no document`);
  const { joinPeriodMs, readingLimitMs } = hosted;
  return { address: document, joinPeriodMs, readingLimitMs };
}
