/** One trial of a run that is steered from elsewhere: run here as any fleet's, its files sent there. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Channel } from '../../infra/channel/channel.ts';
import type { Dispatcher, Wanted } from '../../infra/workers/dispatcher.ts';
import { type PlannedTrial, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import { regionsOfUsers } from '../experiment/groups.ts';
import type { RunOne } from '../trial/trials.ts';
import { remoteFleet, wantedWorkers } from './remote-fleet.ts';
import type { Begin, MessageFromRemote, MessageToRemote } from './steering-protocol.ts';

/** A container that runs connects within seconds; one that is not here by then will not come. */
const WORKERS_LIMIT_MS = 60_000;

type SteeringChannel = Channel<MessageToRemote, MessageFromRemote>;

/** What every trial of the run shares. */
export interface RunContext {
  channel: SteeringChannel;
  dispatcher: Dispatcher;
  /** Where trials write until their files are sent. */
  folder: string;
  /** Coordinator and server of a trial listen on the second and third port after it. */
  firstPort: number;
  /** Names of workers that went, since the trial began. */
  lost: Set<string>;
}

/** @throws the signal's reason where it aborts before the trial has begun, and whatever `runOne` throws */
export async function runRemoteTrial(
  options: RunContext & { begin: Begin; runOne: RunOne; planned: PlannedTrial },
  signal: AbortSignal,
): Promise<void> {
  const { begin, planned, dispatcher, firstPort, folder, channel, lost } = options;
  const { fleet, network } = begin.experiment;
  const regions = regionsOfUsers(planned.users, network.groups, fleet.region!);
  const missing = await missingWorkers(dispatcher, wantedWorkers(regions), signal);
  if (missing !== null) {
    channel.send({ type: 'shortfall', text: `containers are missing: ${missing}` });
    return;
  }
  lost.clear();
  const directory = join(folder, planned.directory);
  const verdict = await options.runOne({
    planned,
    fleet: remoteFleet({
      dispatcher,
      publicAddress: begin.publicAddress,
      ports: { coordinator: firstPort + 2, server: firstPort + 3 },
      regions,
    }),
    directory,
    show: false,
    observer: {
      onPhase: (phase, endsAtMs) => channel.send({ type: 'phase', phase, endsAtMs }),
      onRecords: (user, lines) => channel.inform({ type: 'records', user, lines }),
    },
    signal,
  });
  await sendFiles(channel, directory);
  await rm(directory, { recursive: true, force: true });
  channel.send({ type: 'verdict', verdict, lost: [...lost] });
}

/** Waits for them. @returns who has not come in time; null where all have */
async function missingWorkers(
  dispatcher: Dispatcher,
  wanted: readonly Wanted[],
  signal: AbortSignal,
): Promise<string | null> {
  const limit = AbortSignal.timeout(WORKERS_LIMIT_MS);
  try {
    await dispatcher.untilIdle(wanted, AbortSignal.any([signal, limit]));
    return null;
  } catch (error) {
    if (error !== limit.reason) throw error;
    return wanted
      .filter((each) => dispatcher.shortfall(each) > 0)
      .map(
        (each) => `${dispatcher.shortfall(each)} of ${each.count} "${each.role}" in ${each.group ?? 'the same task'}`,
      )
      .join(', ');
  }
}

/** The verdict last, because whoever finds it takes the trial for complete. */
async function sendFiles(channel: SteeringChannel, directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort((a, b) => Number(a === VERDICT_FILE) - Number(b === VERDICT_FILE) || a.localeCompare(b, 'en'));
  for (const path of paths) {
    const content = await readFile(join(directory, path));
    channel.send({ type: 'file', path, bytes: content.length });
    await channel.sendBytes(content);
  }
}
