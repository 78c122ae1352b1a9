/** The tasks of one run: what their containers are told, who may reach them, and what becomes of them. */
import { randomBytes } from 'node:crypto';
import { createToken } from '../../../infra/channel/token.ts';
import type { Aws } from '../../../infra/fargate/clients.ts';
import type { Fault } from '../../../infra/fargate/faults.ts';
import { coordinatorGroups, Ingress, userGroup } from '../../../infra/fargate/network/security-groups.ts';
import { type Pace, untilSo } from '../../../infra/fargate/pace.ts';
import type { Deployment, TaskGroup } from '../../../infra/fargate/plan/deployment.ts';
import type { ContainerVariables } from '../../../infra/fargate/tasks/starting.ts';
import { TaskPool } from '../../../infra/fargate/tasks/task-pool.ts';
import type { PlannedTrial } from '../../../results/formats/run-directory.ts';
import { UserError } from '../../../results/user-error.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { FIRST_PORT_VARIABLE, STEERING_TOKEN_VARIABLE } from '../../remote/steering-protocol.ts';
import { COORDINATOR_CONTAINER, SERVER_CONTAINER, SERVER_KIND, serverTask, userTasks } from './deployment.ts';

/** AWS tells what became of a task some seconds after its containers are gone. */
const FAULT_LIMIT_MS = 30_000;

interface RunTasksOptions {
  aws: Aws;
  pace: Pace;
  experiment: Experiment;
  deployment: Deployment;
  /** The address from which this machine reaches AWS. */
  reachedFrom: string;
  /** When every task ends by itself, whatever happens. */
  deadline: Date;
  signal: AbortSignal;
  say(text: string): void;
}

export class RunTasks {
  /** What this machine shows to the coordinator. */
  readonly steeringToken = createToken();
  /** Where the coordinator is reached; empty until it runs. */
  publicAddress = '';
  readonly #workerToken = createToken();
  readonly #options: RunTasksOptions;
  readonly #home: TaskGroup;
  readonly #ingress: Ingress;
  readonly #pool: TaskPool;

  constructor(options: RunTasksOptions) {
    const { aws, pace, experiment, deployment, reachedFrom, signal, say } = options;
    this.#options = options;
    this.#home = serverTask(experiment);
    this.#ingress = new Ingress(aws(deployment.serverRegion), deployment);
    this.#pool = new TaskPool({
      aws,
      deployment,
      runId: `run-${randomBytes(6).toString('hex')}`,
      pace,
      signal,
      say,
      groupsOf: (kind, groups) => (kind === SERVER_KIND ? coordinatorGroups(groups) : userGroup(groups)),
      onAddresses: (addresses) => this.#ingress.admit(new Set([reachedFrom, ...addresses])),
    });
  }

  /** Starts the task of server and coordinator. @throws UserError (3) where it cannot be started */
  async startCoordinator(): Promise<void> {
    await this.#reach([this.#home]);
    this.publicAddress = this.#pool.tasks[0]!.address;
  }

  /** Has exactly the tasks of this trial run. @throws UserError (3) where some cannot be started, or the coordinator's has stopped */
  async reach(trial: PlannedTrial): Promise<void> {
    await this.dropStopped();
    this.requireCoordinator();
    await this.#reach([this.#home, ...userTasks(this.#options.experiment, trial)]);
  }

  #reach(groups: readonly TaskGroup[]): Promise<void> {
    return this.#pool.reach(groups, (group) => this.#variablesOf(group));
  }

  /** @throws UserError (3) where the coordinator's task is known to have stopped */
  requireCoordinator(): void {
    if (this.#pool.tasks.some(({ kind }) => kind === SERVER_KIND)) return;
    throw new UserError('the task of server and coordinator has stopped; finished trials are kept, --resume goes on', {
      exitCode: 3,
    });
  }

  /** Forgets tasks that have stopped, and says what AWS says of them. */
  async dropStopped(): Promise<Fault[]> {
    const faults = await this.#pool.dropStopped();
    for (const { sentence } of faults) this.#options.say(sentence);
    return faults;
  }

  /** What AWS says of the tasks that a trial lost; none where it says nothing in time, or lost none. */
  async faultsOf(lost: readonly string[]): Promise<Fault[]> {
    const { pace, signal } = this.#options;
    let faults: Fault[] = [];
    const check = async () => {
      faults = await this.dropStopped();
      return faults.length > 0 || lost.length === 0;
    };
    await untilSo({ pace, limitMs: FAULT_LIMIT_MS, signal, check });
    return faults;
  }

  /** Stops every task, and lets nobody in any more. @throws UserError (3) that names what may still run */
  async stop(): Promise<void> {
    const { deployment, say } = this.#options;
    say('Stopping every task');
    const left = await this.#pool.stop();
    if (left.length > 0) {
      throw new UserError(
        `these tasks still run, and cost money:\n  ${left.join('\n  ')}\nEnd them with: ./scriptorium fargate clean ${deployment.id}`,
        { exitCode: 3 },
      );
    }
    await this.#ingress.admit(new Set());
    say(
      `No task is left. What "up" made stays for the next run, at no cost but that of stored images; ./scriptorium fargate clean ${deployment.id} removes it.`,
    );
  }

  /** What the containers of a task are told, each by its name. */
  #variablesOf({ kind, region }: TaskGroup): ContainerVariables {
    const { deployment, deadline } = this.#options;
    const firstPort = deployment.ports.from;
    const common = { SCRIPTORIUM_TOKEN: this.#workerToken, SCRIPTORIUM_DEADLINE: deadline.toISOString() };
    const worker = (host: string, role: string) => ({
      ...common,
      SCRIPTORIUM_DISPATCHER: `ws://${host}:${firstPort + 1}`,
      SCRIPTORIUM_ROLE: role,
    });
    if (kind === SERVER_KIND) {
      const ofSteering = { [STEERING_TOKEN_VARIABLE]: this.steeringToken, [FIRST_PORT_VARIABLE]: String(firstPort) };
      return {
        [COORDINATOR_CONTAINER]: { ...common, ...ofSteering },
        [SERVER_CONTAINER]: worker('127.0.0.1', 'server'),
      };
    }
    const { containers } = deployment.kinds.find(({ name }) => name === kind)!;
    const user = { ...worker(this.publicAddress, 'users'), SCRIPTORIUM_GROUP: region };
    return Object.fromEntries(
      containers.map(({ name }) => [name, { ...user, SCRIPTORIUM_NAME: `${name} in ${region}` }]),
    );
  }
}
