/** ECS with Fargate: tasks that go through their life with all their containers, by the definitions of stacks. */
import { TASKS_PER_CALL } from '../../infra/fargate/plan/deployment.ts';
import { OVERRIDE_CHARACTERS, TASKS_PER_DESCRIPTION } from '../../infra/fargate/tasks.ts';
import { FAKE_ACCOUNT, type FakeAccount, type FakeRegion } from './account.ts';
import { AwsRefusal, type Call, type Input } from './protocols.ts';

/** The fate of a task that is asked for. */
export type Fate =
  | { kind: 'runs' }
  /** It is in `failures[]`. */
  | { kind: 'refused'; reason: string }
  /** It is accepted, and stops before it runs. */
  | { kind: 'fails'; stopCode: string; reason: string }
  /** It stays PENDING. */
  | { kind: 'hangs' };

export interface FakeContainer {
  name: string;
  exitCode?: number;
  reason?: string;
}

export interface FakeTask {
  arn: string;
  region: string;
  cluster: string;
  family: string;
  /** Its properties in the stack's template. */
  definition: Input;
  spot: boolean;
  subnets: string[];
  startedBy: string;
  tags: Input[];
  environment: Record<string, Record<string, string>>;
  status: 'PROVISIONING' | 'PENDING' | 'RUNNING' | 'DEPROVISIONING' | 'STOPPED';
  desired: 'RUNNING' | 'STOPPED';
  stopCode?: string;
  stoppedReason?: string;
  startedAt?: number;
  containers: FakeContainer[];
  interfaceId: string;
  /** ListTasks does not know it yet. */
  unlisted?: boolean;
}

/** A runner of a task's containers, if there is one. */
export interface ContainerEngine {
  /** @param onExit told when a container ends by itself */
  start(task: FakeTask, onExit: () => void): void;
  /**
   * SIGTERM, and SIGKILL if the containers stay; resolves when all containers are gone.
   *
   * @param unannounced SIGKILL at once, as if the host failed
   */
  stop(task: FakeTask, unannounced: boolean): Promise<void>;
}

/** How a task ends that nobody stopped. */
export interface TaskEnd {
  stopCode: string;
  reason: string;
  exitCode?: number;
  containerReason?: string;
  /** Its containers hear no SIGTERM first. */
  unannounced?: boolean;
}

export interface EcsOptions {
  account: FakeAccount;
  /** How long a task stays PROVISIONING, and PENDING. */
  phaseMs: number;
  fateOf(task: Pick<FakeTask, 'region' | 'family' | 'spot' | 'subnets'>): Fate;
  /** Null: AWS knows none yet. */
  addressOf(number: number): string | null;
  engine?: ContainerEngine;
}

export class FakeEcs {
  readonly tasks: FakeTask[] = [];
  readonly #options: EcsOptions;
  readonly #answered = new Map<string, unknown>();

  constructor(options: EcsOptions) {
    this.#options = options;
  }

  answer({ operation, input, region }: Call): unknown {
    const answer = this.#operations[operation];
    if (answer === undefined) throw new AwsRefusal('UnknownOperation', `ecs:${operation} is not played here`);
    if (input.cluster !== undefined && !this.#options.account.of(region).stacks.has(input.cluster)) {
      throw new AwsRefusal('ClusterNotFoundException', 'Cluster not found.');
    }
    return answer(input, region);
  }

  /** Ends a task as Fargate does when it wants its spot capacity back, or when its memory is used up. */
  async end(task: FakeTask, how: TaskEnd): Promise<void> {
    if (task.desired === 'STOPPED') return;
    task.desired = 'STOPPED';
    task.stopCode = how.stopCode;
    task.stoppedReason = how.reason;
    const ran = task.status === 'RUNNING';
    task.status = 'DEPROVISIONING';
    await this.#options.engine?.stop(task, how.unannounced ?? false);
    for (const container of task.containers) {
      if (ran) container.exitCode ??= how.exitCode ?? 0;
      container.reason ??= how.containerReason;
    }
    task.status = 'STOPPED';
    this.#options.account.of(task.region).interfaces.delete(task.interfaceId);
  }

  /** From PROVISIONING to RUNNING, as far as its fate lets it. */
  #live(task: FakeTask, fate: Fate): void {
    const later = (act: () => void) =>
      setTimeout(() => task.desired === 'RUNNING' && act(), this.#options.phaseMs).unref();
    later(() => {
      task.status = 'PENDING';
      if (fate.kind === 'hangs') return;
      later(() => {
        if (fate.kind === 'runs') return this.#run(task);
        const { stopCode, reason } = fate as Extract<Fate, { kind: 'fails' }>;
        void this.end(task, { stopCode, reason, containerReason: reason });
      });
    });
  }

  #run(task: FakeTask): void {
    task.status = 'RUNNING';
    task.startedAt = Date.now() / 1000;
    this.#options.engine?.start(task, () => {
      void this.end(task, { stopCode: 'EssentialContainerExited', reason: 'Essential container in task exited' });
    });
  }

  #runTasks(region: string, input: Input) {
    const { account, fateOf, addressOf } = this.#options;
    const family: string = input.taskDefinition;
    const definition = this.#definition(region, input.cluster, family);
    checkRequest(input, definition, account.of(region));
    const spot = input.capacityProviderStrategy[0].capacityProvider === 'FARGATE_SPOT';
    const { subnets } = networkOf(input);
    const started: FakeTask[] = [];
    const failures: Input[] = [];
    for (let index = 0; index < input.count; index++) {
      const fate = fateOf({ region, family, spot, subnets });
      if (fate.kind === 'refused') {
        failures.push({ reason: fate.reason });
        continue;
      }
      const number = this.tasks.length + 1;
      const task = createTask({ number, region, family, definition, spot, input });
      account.of(region).interfaces.set(task.interfaceId, { address: addressOf(number) });
      this.tasks.push(task);
      started.push(task);
      this.#live(task, fate);
    }
    return { tasks: started.map(describeTask), failures };
  }

  /** The properties of a task definition in a stack, whose family CloudFormation would have filled in. */
  #definition(region: string, cluster: string, family: string): Input {
    const { template, parameters } = this.#options.account.of(region).stacks.get(cluster)!;
    const all: Input[] = Object.values(template.Resources).map(({ Properties }) => Properties);
    const found = all.find(
      ({ Family }) =>
        Family?.['Fn::Sub'].replace(/\$\{(\w+)\}/, (_: string, name: string) => parameters[name]) === family,
    );
    if (found === undefined) throw new AwsRefusal('ClientException', 'TaskDefinition not found.');
    return found;
  }

  #tasksIn(region: string): FakeTask[] {
    return this.tasks.filter((task) => task.region === region);
  }

  readonly #operations: Record<string, (input: Input, region: string) => unknown> = {
    RunTask: (input, region) => {
      // The same token again gets the same answer, and starts nothing.
      const key = `${region} ${input.clientToken}`;
      if (!this.#answered.has(key)) this.#answered.set(key, this.#runTasks(region, input));
      return this.#answered.get(key);
    },
    ListTasks: (input, region) => ({
      taskArns: this.#tasksIn(region)
        .filter(({ cluster, unlisted }) => cluster === input.cluster && unlisted !== true)
        .filter(({ desired }) => desired === (input.desiredStatus ?? 'RUNNING'))
        .filter(({ startedBy }) => input.startedBy === undefined || startedBy === input.startedBy)
        .map(({ arn }) => arn),
    }),
    DescribeTasks: (input, region) => {
      if (input.tasks.length > TASKS_PER_DESCRIPTION)
        throw new AwsRefusal('InvalidParameterException', 'Tasks cannot have more than 100 items');
      const found = this.#tasksIn(region).filter(({ arn }) => input.tasks.includes(arn));
      const missing = input.tasks.filter((arn: string) => !found.some((task) => task.arn === arn));
      return { tasks: found.map(describeTask), failures: missing.map((arn: string) => ({ arn, reason: 'MISSING' })) };
    },
    StopTask: (input, region) => {
      const task = this.#tasksIn(region).find(({ arn }) => arn === input.task);
      if (task === undefined) throw new AwsRefusal('InvalidParameterException', 'The referenced task was not found.');
      void this.end(task, { stopCode: 'UserInitiated', reason: input.reason });
      return { task: describeTask(task) };
    },
  };
}

/** @throws AwsRefusal if RunTask would not take it */
function checkRequest(input: Input, definition: Input, region: FakeRegion): void {
  const refuse = (message: string) => {
    throw new AwsRefusal('InvalidParameterException', message);
  };
  if (input.count > TASKS_PER_CALL) refuse('count cannot be more than 10.');
  const network = networkOf(input);
  if (!network?.subnets?.length) refuse('Network Configuration must be provided when networkMode awsvpc is specified.');
  for (const group of network.securityGroups) {
    if (!region.securityGroups.has(group)) refuse(`security group ${group} does not exist`);
  }
  const overrides = overridesOf(input);
  if (JSON.stringify(overrides).length > OVERRIDE_CHARACTERS) refuse('Container Overrides length must be at most 8192');
  const names = definition.ContainerDefinitions.map(({ Name }: Input) => Name);
  for (const { name } of overrides) {
    if (names.includes(name)) continue;
    refuse(`Override for container named ${name} is not a container in the TaskDefinition.`);
  }
}

const networkOf = (input: Input) => input.networkConfiguration?.awsvpcConfiguration;
const overridesOf = (input: Input): Input[] => input.overrides?.containerOverrides ?? [];

/** A task as RunTask makes it. */
function createTask(
  options: Pick<FakeTask, 'region' | 'family' | 'definition' | 'spot'> & { number: number; input: Input },
): FakeTask {
  const { number, input, ...own } = options;
  const hex = number.toString(16).padStart(32, '0');
  return {
    ...own,
    arn: `arn:aws:ecs:${own.region}:${FAKE_ACCOUNT}:task/${input.cluster}/${hex}`,
    cluster: input.cluster,
    subnets: networkOf(input).subnets,
    startedBy: input.startedBy ?? '',
    tags: input.tags ?? [],
    environment: Object.fromEntries(
      overridesOf(input).map(({ name, environment }) => [
        name,
        Object.fromEntries(environment.map((each: Input) => [each.name, each.value])),
      ]),
    ),
    status: 'PROVISIONING',
    desired: 'RUNNING',
    containers: own.definition.ContainerDefinitions.map(({ Name }: Input) => ({ name: Name })),
    interfaceId: `eni-${number}`,
  };
}

/** As DescribeTasks answers. */
function describeTask(task: FakeTask) {
  return {
    taskArn: task.arn,
    group: `family:${task.family}`,
    lastStatus: task.status,
    desiredStatus: task.desired,
    startedBy: task.startedBy,
    startedAt: task.startedAt,
    stopCode: task.stopCode,
    stoppedReason: task.stoppedReason,
    capacityProviderName: task.spot ? 'FARGATE_SPOT' : 'FARGATE',
    availabilityZone: `${task.region}a`,
    tags: task.tags,
    attachments: [
      {
        type: 'ElasticNetworkInterface',
        status: 'ATTACHED',
        details: [{ name: 'networkInterfaceId', value: task.interfaceId }],
      },
    ],
    containers: task.containers.map(({ name, exitCode, reason }) => ({
      name,
      lastStatus: task.status,
      exitCode,
      reason,
    })),
  };
}
