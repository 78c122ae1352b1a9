/** ECS with Fargate: clusters, task definitions, and tasks that go through their life with all their containers. */
import { CPU_UNITS_PER_VCPU, TASKS_PER_DESCRIPTION } from '../../infra/fargate/plan/sizes.ts';
import { FAKE_ACCOUNT, type FakeAccount } from './account.ts';
import { AwsRefusal, type Call, type Input } from './protocols.ts';
import {
  type ContainerEngine,
  checkDefinition,
  checkRequest,
  createTask,
  describeTask,
  type FakeTask,
  type Fate,
  networkOf,
} from './task.ts';

interface FakeCluster {
  status: 'ACTIVE' | 'INACTIVE';
  tags: Input[];
}

interface Definition {
  region: string;
  arn: string;
  family: string;
  input: Input;
  status: 'ACTIVE' | 'INACTIVE';
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

const clusterArn = (region: string, name: string) => `arn:aws:ecs:${region}:${FAKE_ACCOUNT}:cluster/${name}`;

export class FakeEcs {
  readonly tasks: FakeTask[] = [];
  readonly #options: EcsOptions;
  readonly #clusters = new Map<string, FakeCluster>();
  readonly #definitions: Definition[] = [];
  readonly #answered = new Map<string, unknown>();

  constructor(options: EcsOptions) {
    this.#options = options;
  }

  answer({ operation, input, region }: Call): unknown {
    const answer = this.#operations[operation];
    if (answer === undefined) throw new AwsRefusal('UnknownOperation', `ecs:${operation} is not played here`);
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
    this.#options.engine?.start(task, (container) => {
      const isOver = container.essential || task.containers.every(({ exitCode }) => exitCode !== undefined);
      if (!isOver) return;
      void this.end(task, { stopCode: 'EssentialContainerExited', reason: 'Essential container in task exited' });
    });
  }

  #runTasks(region: string, input: Input) {
    const { account, fateOf, addressOf } = this.#options;
    this.#cluster(region, input.cluster);
    const { input: definition, family } = this.#definition(region, input.taskDefinition);
    checkRequest(input, definition, account.of(region));
    const spot = input.capacityProviderStrategy?.[0]?.capacityProvider === 'FARGATE_SPOT';
    const { subnets, securityGroups } = networkOf(input);
    const started: FakeTask[] = [];
    const failures: Input[] = [];
    for (let index = 0; index < input.count; index++) {
      const fate = fateOf({ region, family, spot, subnets });
      if (fate.kind === 'refused') {
        failures.push({ arn: clusterArn(region, input.cluster), reason: fate.reason });
        continue;
      }
      this.#checkQuota(region, spot, definition);
      const number = this.tasks.length + 1;
      const task = createTask({ number, region, family, definition, spot, input, address: addressOf(number) });
      account.of(region).interfaces.set(task.interfaceId, { address: task.address, securityGroups });
      this.tasks.push(task);
      started.push(task);
      this.#live(task, fate);
    }
    return { tasks: started.map(describeTask), failures };
  }

  #checkQuota(region: string, spot: boolean, definition: Input): void {
    const atWork = this.#tasksIn(region).filter((task) => task.spot === spot && task.status !== 'STOPPED');
    const units = atWork.reduce((sum, task) => sum + Number(task.definition.cpu), Number(definition.cpu));
    const { quotas } = this.#options.account;
    if (units / CPU_UNITS_PER_VCPU <= (spot ? quotas.spot : quotas.onDemand)) return;
    throw new AwsRefusal('ClientException', "You've reached the limit on the number of vCPUs you can run concurrently");
  }

  #tasksIn(region: string): FakeTask[] {
    return this.tasks.filter((task) => task.region === region);
  }

  #cluster(region: string, name: string): FakeCluster {
    const found = this.#clusters.get(`${region} ${name}`);
    if (found?.status !== 'ACTIVE') throw new AwsRefusal('ClusterNotFoundException', 'Cluster not found.');
    return found;
  }

  /** By its ARN, or the latest of its family. */
  #definition(region: string, name: string): Definition {
    const found = this.#definitions
      .filter((each) => each.region === region)
      .findLast((each) => each.arn === name || (each.family === name && each.status === 'ACTIVE'));
    if (found === undefined) throw new AwsRefusal('ClientException', 'Unable to describe task definition.');
    return found;
  }

  readonly #operations: Record<string, (input: Input, region: string) => unknown> = {
    CreateCluster: ({ clusterName, tags }, region) => {
      this.#clusters.set(`${region} ${clusterName}`, { status: 'ACTIVE', tags: tags ?? [] });
      return { cluster: { clusterName, clusterArn: clusterArn(region, clusterName), status: 'ACTIVE' } };
    },
    ListClusters: (_input, region) => ({
      clusterArns: [...this.#clusters]
        .filter(([key, { status }]) => key.startsWith(`${region} `) && status === 'ACTIVE')
        .map(([key]) => clusterArn(region, key.split(' ')[1]!)),
    }),
    DescribeClusters: (input, region) => {
      const named = input.clusters.map((name: string) => name.split('/').at(-1)!);
      return {
        clusters: named.flatMap((clusterName: string) => {
          const found = this.#clusters.get(`${region} ${clusterName}`);
          return found ? [{ clusterName, clusterArn: clusterArn(region, clusterName), ...found }] : [];
        }),
        failures: [],
      };
    },
    DeleteCluster: (input, region) => {
      if (this.#tasksIn(region).some((task) => task.cluster === input.cluster && task.status !== 'STOPPED')) {
        throw new AwsRefusal('ClusterContainsTasksException', 'The Cluster cannot be deleted while Tasks are active.');
      }
      this.#cluster(region, input.cluster).status = 'INACTIVE';
      return {};
    },
    RegisterTaskDefinition: (input, region) => {
      checkDefinition(input);
      const { family } = input;
      const revision = this.#definitions.filter((each) => each.region === region && each.family === family).length + 1;
      const arn = `arn:aws:ecs:${region}:${FAKE_ACCOUNT}:task-definition/${family}:${revision}`;
      this.#definitions.push({ region, arn, family, input, status: 'ACTIVE' });
      return { taskDefinition: { taskDefinitionArn: arn, revision, ...input } };
    },
    DescribeTaskDefinition: ({ taskDefinition }, region) => {
      const { arn, input, status } = this.#definition(region, taskDefinition);
      return { taskDefinition: { ...input, taskDefinitionArn: arn, status }, tags: input.tags };
    },
    ListTaskDefinitions: ({ status }, region) => ({
      taskDefinitionArns: this.#definitions
        .filter((each) => each.region === region && each.status === status)
        .map(({ arn }) => arn),
    }),
    DeregisterTaskDefinition: ({ taskDefinition }, region) => {
      this.#definition(region, taskDefinition).status = 'INACTIVE';
      return {};
    },
    DeleteTaskDefinitions: (input, region) => {
      for (const arn of input.taskDefinitions) {
        const definition = this.#definition(region, arn);
        if (definition.status === 'ACTIVE') throw new AwsRefusal('ClientException', 'deregister it first');
        this.#definitions.splice(this.#definitions.indexOf(definition), 1);
      }
      return { failures: [] };
    },
    RunTask: (input, region) => {
      // The same token again gets the same answer, and starts nothing.
      const key = `${region} ${input.clientToken}`;
      if (!this.#answered.has(key)) this.#answered.set(key, this.#runTasks(region, input));
      return this.#answered.get(key);
    },
    ListTasks: (input, region) => {
      this.#cluster(region, input.cluster);
      return {
        taskArns: this.#tasksIn(region)
          .filter(({ cluster, unlisted }) => cluster === input.cluster && unlisted !== true)
          .filter(({ desired }) => desired === (input.desiredStatus ?? 'RUNNING'))
          .filter(({ startedBy }) => input.startedBy === undefined || startedBy === input.startedBy)
          .map(({ arn }) => arn),
      };
    },
    DescribeTasks: (input, region) => {
      this.#cluster(region, input.cluster);
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
