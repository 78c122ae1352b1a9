/** A run on AWS Fargate, steered from this machine: tasks in, trials there, files back, tasks gone. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findFrameworks } from '../../../frameworks/discover.ts';
import { withLayer } from '../../../frameworks/image/layer.ts';
import { type Aws, connectAws } from '../../../infra/fargate/clients.ts';
import { FARGATE_PACE, type Pace } from '../../../infra/fargate/pace.ts';
import type { Deployment } from '../../../infra/fargate/plan/deployment.ts';
import { checkAccount } from '../../../infra/fargate/provisioning/check-account.ts';
import { verifyProvisioned } from '../../../infra/fargate/provisioning/verify-provisioned.ts';
import { clearUpAfter } from '../../../infra/process/clear-up.ts';
import { sourceFingerprint } from '../../../infra/source-fingerprint.ts';
import { type PlannedTrial, VERDICT_FILE } from '../../../results/formats/run-directory.ts';
import type { Verdict } from '../../../results/formats/verdict.ts';
import { setAside } from '../../../results/run-folder/run-folder.ts';
import { UserError } from '../../../results/user-error.ts';
import { storedTraces } from '../../../traces/cache.ts';
import { readTraceBytes } from '../../../traces/format.ts';
import { resolveTrace } from '../../../traces/store.ts';
import { SYNTHETIC_NAME } from '../../../traces/synthetic.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { connectRemoteCoordinator, type RemoteCoordinator } from '../../remote/remote-coordinator.ts';
import type { Runner, RunnerOptions } from '../runner.ts';
import { deploymentOf, FIRST_PORT, fargatePlanOf } from './deployment.ts';
import { findPublicAddress } from './public-address.ts';
import { RunTasks } from './run-tasks.ts';

/** A trial that lost a user to AWS is run again so often. */
const REPEATS = 2;
/** How often missing containers are looked for and replaced before one trial. */
const READY_ROUNDS = 3;
/** The hard deadline of every task: the plan's duration, half as much again for repeated trials, and slow starts. */
const DEADLINE_FACTOR = 1.5;
const DEADLINE_MARGIN_MS = 30 * 60_000;
/** An invalid trial's verdict, until AWS has said what became of its tasks. */
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
  const { quotas, durationMs } = fargatePlanOf(experiment, plan);
  await checkAccount(aws, deployment, quotas);
  await verifyProvisioned(aws, deployment);
  const reachedFrom = experiment.fleet.fargate.reachedFrom ?? (await findPublicAddress());
  const deadline = new Date(Date.now() + durationMs * DEADLINE_FACTOR + DEADLINE_MARGIN_MS);

  const tasks = new RunTasks({ aws, pace, experiment, deployment, reachedFrom, deadline, signal, say });
  let coordinator: RemoteCoordinator | null = null;
  try {
    await tasks.startCoordinator();
    const { publicAddress, steeringToken } = tasks;
    say(`Server and coordinator run in ${deployment.serverRegion}; connecting`);
    const url = `ws://${publicAddress}:${firstPort}`;
    coordinator = await connectRemoteCoordinator({ ...options, trace, url, token: steeringToken, publicAddress });
    if (checkSources) await requireSameImage(coordinator, experiment);
    return new FargateRunner({ tasks, coordinator, deployment, signal, say });
  } catch (error) {
    const clearUp = () => {
      coordinator?.close();
      return tasks.stop();
    };
    return clearUpAfter(error, { clearUp, say });
  }
}

class FargateRunner implements Runner {
  readonly environment: object;
  readonly #tasks: RunTasks;
  readonly #coordinator: RemoteCoordinator;
  readonly #signal: AbortSignal;
  readonly #say: (text: string) => void;

  constructor(options: {
    tasks: RunTasks;
    coordinator: RemoteCoordinator;
    deployment: Deployment;
    signal: AbortSignal;
    say: (text: string) => void;
  }) {
    const { regions, serverRegion } = options.deployment;
    this.environment = { ...options.coordinator.environment, regions, serverRegion };
    this.#tasks = options.tasks;
    this.#coordinator = options.coordinator;
    this.#signal = options.signal;
    this.#say = options.say;
  }

  async runTrial(trial: PlannedTrial, directory: string): Promise<Verdict> {
    for (let attempt = 1; ; attempt++) {
      const { verdict, lost } = await this.#runOnce(trial, directory);
      if (verdict.verdict === 'valid' || verdict.verdict === 'unknown') return verdict;
      // Until it stands: where the run ends meanwhile, --resume would take the trial for finished.
      await rename(join(directory, VERDICT_FILE), join(directory, UNDECIDED_VERDICT_FILE));
      const faults = await this.#tasks.faultsOf(lost);
      // The coordinator may have judged the loss of its neighbour, the server, before its own end came.
      this.#tasks.requireCoordinator();
      const isRepeated = attempt <= REPEATS && faults.some(({ kind }) => kind === 'interrupted');
      const kept = isRepeated ? await setAside(directory) : directory;
      await rename(join(kept, UNDECIDED_VERDICT_FILE), join(kept, VERDICT_FILE));
      if (!isRepeated) return verdict;
      this.#say(`${trial.cell}, trial ${trial.trial}, is run again, because AWS took users away`);
    }
  }

  /** Runs a trial to a verdict, with containers that are missing replaced before it begins. */
  async #runOnce(trial: PlannedTrial, directory: string): Promise<{ verdict: Verdict; lost: string[] }> {
    for (let round = 1; ; round++) {
      await this.#tasks.reach(trial);
      const outcome = await this.#coordinator.runTrial(trial, directory).catch(async (error) => {
        if (this.#signal.aborted) throw error;
        // AWS may know why.
        return clearUpAfter(error, { clearUp: async () => void (await this.#tasks.dropStopped()), say: this.#say });
      });
      if (outcome.kind === 'judged') return outcome;
      if (round === READY_ROUNDS) throw new UserError(outcome.text, { exitCode: 3 });
      this.#say(`${outcome.text}; looking for them`);
    }
  }

  async close(): Promise<void> {
    this.#coordinator.close();
    await this.#tasks.stop();
  }
}

/** @throws UserError (3) where the coordinator's image holds other sources than lie here, or not what these frameworks take */
async function requireSameImage({ image }: RemoteCoordinator, experiment: Experiment): Promise<void> {
  const frameworks = await findFrameworks(experiment.frameworks);
  const layer = await withLayer([...frameworks.values()], async (taken) => taken?.digest ?? null);
  const isSameProject = image.fingerprint === (await sourceFingerprint());
  if (isSameProject && image.layer === layer) return;
  const how = isSameProject ? 'for other frameworks, or others’ files,' : 'from other sources';
  throw new UserError(
    `the image on AWS was built ${how} than lie here; call ./scriptorium fargate up for this experiment again`,
    { exitCode: 3 },
  );
}

/** The trace as it lies in the cache; null for the one that every machine makes for itself. */
async function traceBytes(name: string): Promise<Uint8Array | null> {
  if (name === SYNTHETIC_NAME) return null;
  // Says how to get it where it is not here, and proves that it is whole where it is.
  await resolveTrace(name);
  const { path } = (await storedTraces()).find((stored) => stored.name === name)!;
  return readTraceBytes(path);
}
