/** A run on AWS Fargate, steered from this machine: tasks in, trials there, files back, tasks gone. */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { createToken } from '../../infra/channel/token.ts';
import { type Aws, connectAws } from '../../infra/fargate/clients.ts';
import { FARGATE_PACE, type Pace, untilSo } from '../../infra/fargate/pace.ts';
import type { TaskGroup } from '../../infra/fargate/plan/deployment.ts';
import { checkAccount } from '../../infra/fargate/provisioning/check-account.ts';
import { coordinatorGroups, openIngress, userGroup } from '../../infra/fargate/provisioning/security-groups.ts';
import { verifyProvisioned } from '../../infra/fargate/provisioning/verify-provisioned.ts';
import type { Fault } from '../../infra/fargate/tasks/faults.ts';
import { openTaskPool } from '../../infra/fargate/tasks/task-pool.ts';
import { clearUpAfter } from '../../infra/process/clear-up.ts';
import { type PlannedTrial, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { UserError } from '../../results/user-error.ts';
import { storedTraces } from '../../traces/cache.ts';
import { readTraceBytes } from '../../traces/format.ts';
import { resolveTrace } from '../../traces/store.ts';
import { SYNTHETIC_NAME } from '../../traces/synthetic.ts';
import type { Runner, RunnerOptions } from '../runner.ts';
import {
  COORDINATOR_CONTAINER,
  deploymentOf,
  FIRST_PORT,
  fargatePlanOf,
  SERVER_CONTAINER,
  SERVER_KIND,
  serverTask,
  userTasks,
} from './fargate-deployment.ts';
import { findPublicAddress } from './public-address.ts';
import { connectRemoteCoordinator, type RemoteCoordinator } from './remote-coordinator.ts';
import { sourceFingerprint } from './source-fingerprint.ts';
import { FIRST_PORT_VARIABLE, STEERING_TOKEN_VARIABLE } from './steering-protocol.ts';

/** A trial that lost a user to AWS is run again so often. */
const REPEATS = 2;
/** AWS tells what befell a task some seconds after its containers are gone. */
const FAULT_LIMIT_MS = 30_000;
/** How often missing containers are looked for and replaced before one trial. */
const READY_ROUNDS = 3;
/** The hard deadline of every task: the plan's duration, half as much again for repeated trials, and slow starts. */
const DEADLINE_FACTOR = 1.5;
const DEADLINE_MARGIN_MS = 30 * 60_000;
/** Trials that were run again: kept as evidence, outside of what the analysis reads. */
const INTERRUPTED_FOLDER = 'interrupted';
/** An invalid trial's verdict, until AWS has said what befell its tasks. */
const UNDECIDED_VERDICT_FILE = `${VERDICT_FILE}.undecided`;

/** What tests replace. */
export interface FargateSettings {
  aws?: Aws;
  pace?: Pace;
  firstPort?: number;
  /** Whether the image must hold the sources that lie here. */
  checkSources?: boolean;
}

/**
 * Checks everything that can be checked, then starts the task of server and coordinator and connects to it. User tasks
 * start with the first trial, and change with each.
 *
 * @throws UserError (2, 3) with what is wrong and what to do; what was started is stopped then
 */
export async function openFargateRunner(options: RunnerOptions, settings: FargateSettings = {}): Promise<Runner> {
  const { experiment, plan, observer, signal } = options;
  const { aws = connectAws(), pace = FARGATE_PACE, firstPort = FIRST_PORT, checkSources = true } = settings;
  const say = observer.onNotice;
  if (options.show) say('Browsers on AWS cannot be shown; --show has no effect.');
  const trace = await traceBytes(experiment.trace);
  const deployment = deploymentOf(experiment, plan, firstPort);
  const planned = fargatePlanOf(experiment, plan);
  await checkAccount(aws, deployment, planned.quotas);
  await verifyProvisioned(aws, deployment);
  const me = experiment.fleet.fargate.reachedFrom ?? (await findPublicAddress());

  const runId = `run-${randomBytes(6).toString('hex')}`;
  const tokens = { dispatcher: createToken(), steering: createToken() };
  const deadline = new Date(Date.now() + planned.durationMs * DEADLINE_FACTOR + DEADLINE_MARGIN_MS).toISOString();
  const ingress = openIngress(aws(deployment.serverRegion), deployment);
  const pool = openTaskPool({
    aws,
    deployment,
    runId,
    pace,
    signal,
    say,
    groupsOf: (kind, groups) => (kind === SERVER_KIND ? coordinatorGroups(groups) : userGroup(groups)),
    onAddresses: (addresses) => ingress.admit(new Set([me, ...addresses])),
  });
  const home = serverTask(experiment);
  let coordinator: RemoteCoordinator | null = null;
  let publicAddress = '';

  const close = async () => {
    coordinator?.close();
    say('Stopping every task');
    const left = await pool.stop();
    if (left.length > 0) {
      throw new UserError(
        `these tasks still run, and cost money:\n  ${left.join('\n  ')}\nEnd them with: ./scriptorium fargate clean ${deployment.id}`,
        { exitCode: 3 },
      );
    }
    await ingress.admit(new Set());
    say(
      `No task is left. What "up" made stays for the next run, at no cost but that of stored images; ./scriptorium fargate clean ${deployment.id} removes it.`,
    );
  };
  const environmentOf = (group: TaskGroup) => {
    const common = { SCRIPTORIUM_TOKEN: tokens.dispatcher, SCRIPTORIUM_DEADLINE: deadline };
    const dispatcherAt = (host: string) => ({ ...common, SCRIPTORIUM_DISPATCHER: `ws://${host}:${firstPort + 1}` });
    if (group.kind === SERVER_KIND) {
      return {
        [COORDINATOR_CONTAINER]: {
          ...common,
          [STEERING_TOKEN_VARIABLE]: tokens.steering,
          [FIRST_PORT_VARIABLE]: String(firstPort),
        },
        [SERVER_CONTAINER]: { ...dispatcherAt('127.0.0.1'), SCRIPTORIUM_ROLE: 'server' },
      };
    }
    const { containers } = deployment.kinds.find(({ name }) => name === group.kind)!;
    const user = { ...dispatcherAt(publicAddress), SCRIPTORIUM_ROLE: 'users', SCRIPTORIUM_GROUP: group.region };
    return Object.fromEntries(
      containers.map(({ name }) => [name, { ...user, SCRIPTORIUM_NAME: `${name} in ${group.region}` }]),
    );
  };

  const dropStopped = async () => {
    const faults = await pool.dropStopped();
    for (const { sentence } of faults) say(sentence);
    return faults;
  };

  /** What AWS says of the tasks that a trial lost; none where it says nothing in time, or lost none. */
  const faultsOf = async (lost: readonly string[]) => {
    let faults: Fault[] = [];
    const check = async () => {
      faults = await dropStopped();
      return faults.length > 0 || lost.length === 0;
    };
    await untilSo({ pace, limitMs: FAULT_LIMIT_MS, signal, check });
    return faults;
  };

  const requireCoordinator = () => {
    if (pool.tasks.some(({ kind }) => kind === SERVER_KIND)) return;
    throw new UserError('the task of server and coordinator has stopped; finished trials are kept, --resume goes on', {
      exitCode: 3,
    });
  };

  /** Has exactly the tasks of this trial run. */
  const reach = async (trial: PlannedTrial) => {
    await dropStopped();
    requireCoordinator();
    await pool.reach([home, ...userTasks(experiment, trial)], environmentOf);
  };

  const runOnce = async (trial: PlannedTrial, directory: string) => {
    for (let round = 1; ; round++) {
      await reach(trial);
      const outcome = await coordinator!.runTrial(trial, directory).catch(async (error) => {
        if (signal.aborted) throw error;
        // AWS may know why.
        return clearUpAfter(error, { clearUp: async () => void (await dropStopped()), say });
      });
      if (outcome.kind === 'judged') return outcome;
      if (round === READY_ROUNDS) throw new UserError(outcome.text, { exitCode: 3 });
      say(`${outcome.text}; looking for them`);
    }
  };

  try {
    await pool.reach([home], environmentOf);
    publicAddress = pool.tasks[0]!.address;
    say(`Server and coordinator run in ${home.region}; connecting`);
    const url = `ws://${publicAddress}:${firstPort}`;
    coordinator = await connectRemoteCoordinator({
      ...options,
      trace,
      url,
      token: tokens.steering,
      publicAddress,
    });
    if (checkSources && coordinator.fingerprint !== (await sourceFingerprint())) {
      throw new UserError(
        'the image on AWS was built from other sources than lie here; call ./scriptorium fargate up for this experiment again',
        { exitCode: 3 },
      );
    }
  } catch (error) {
    return clearUpAfter(error, { clearUp: close, say });
  }

  return {
    environment: { ...coordinator.environment, regions: deployment.regions, serverRegion: deployment.serverRegion },
    async runTrial(trial, directory): Promise<Verdict> {
      for (let attempt = 1; ; attempt++) {
        const { verdict, lost } = await runOnce(trial, directory);
        if (verdict.verdict !== 'invalid') return verdict;
        // Until it stands: where the run ends meanwhile, --resume would take the trial for finished.
        await rename(join(directory, VERDICT_FILE), join(directory, UNDECIDED_VERDICT_FILE));
        const faults = await faultsOf(lost);
        // The coordinator may have judged the loss of its neighbour, the server, before its own end came.
        requireCoordinator();
        const isRepeated = attempt <= REPEATS && faults.some(({ kind }) => kind === 'interrupted');
        const kept = isRepeated ? await setAside(directory, trial.directory, attempt) : directory;
        await rename(join(kept, UNDECIDED_VERDICT_FILE), join(kept, VERDICT_FILE));
        if (!isRepeated) return verdict;
        say(`${trial.cell}, trial ${trial.trial}, is run again, because AWS took users away`);
      }
    },
    close,
  };
}

/** The trace as it lies in the cache; null for the one that every machine makes for itself. */
async function traceBytes(name: string): Promise<Uint8Array | null> {
  if (name === SYNTHETIC_NAME) return null;
  // Says how to get it where it is not here, and proves that it is whole where it is.
  await resolveTrace(name);
  const { path } = (await storedTraces()).find((stored) => stored.name === name)!;
  return readTraceBytes(path);
}

/** @returns where it lies now */
async function setAside(directory: string, planned: string, attempt: number): Promise<string> {
  const root = directory.slice(0, -planned.split('/').join(sep).length);
  const aside = join(root, INTERRUPTED_FOLDER, `${relative('trials', planned)}-attempt-${attempt}`);
  await mkdir(dirname(aside), { recursive: true });
  await rm(aside, { recursive: true, force: true });
  await rename(directory, aside);
  return aside;
}
