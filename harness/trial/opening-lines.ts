/** The first lines of the coordinator's record: what the trial is, and what its verdict is judged by. */
import { type RecordLine, recordName, SCHEMA_VERSION } from '../../results/formats/records.ts';
import { modeWithPresence, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { type TrialUser, writersAmong } from './trial-users.ts';
import type { TrialCrowd } from './user-processes.ts';

export function openingLines(options: {
  planned: PlannedTrial;
  /** The framework's. */
  version: string;
  /** Whether the server is one of the trial's processes. */
  hasServer: boolean;
  users: readonly TrialUser[];
  /** What the users are who are no probes; absent: there are none. */
  crowd?: TrialCrowd;
  clockErrorLimitMs: number;
  atMs: number;
}): RecordLine[] {
  const { planned, version, hasServer, crowd, clockErrorLimitMs, atMs } = options;
  const { cell, framework, users, probes, trial, seed } = planned;
  const mode = modeWithPresence(planned);
  const processes = [
    ...(hasServer ? [recordName({ role: 'server' })] : []),
    ...Array.from({ length: users }, (_, user) => recordName({ role: 'user', user })),
  ];
  const ofCrowd = {
    crowd: crowd?.kind,
    crowdRestsOnOrder: crowd?.kind === 'recorded' ? crowd.restsOnOrder : undefined,
  };
  const writers = writersAmong(options.users);
  const expected = { processes, writers, probes, ...ofCrowd, clockErrorLimitMs };
  return [
    {
      type: 'process',
      schemaVersion: SCHEMA_VERSION,
      role: 'coordinator',
      framework,
      frameworkVersion: version,
      mode,
      node: process.version,
      chrome: null,
      atMs,
    },
    { type: 'trial', atMs, cell, framework, mode, users, trial, seed, ...expected },
  ];
}
