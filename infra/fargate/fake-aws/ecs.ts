/** ECS with Fargate: clusters, task definitions, and tasks that go through their life with all their containers. */
import { CPU_UNITS_PER_VCPU, OVERRIDE_CHARACTERS, TASKS_PER_CALL, TASKS_PER_DESCRIPTION } from '../plan/sizes.ts';
import { FAKE_ACCOUNT, type FakeAccount } from './account.ts';
import { AwsRefusal, type Call, type Input } from './protocols.ts';
import {
  type ContainerEngine,
  checkDefinition,
  describeTask,
  type FakeContainer,
  type FakeTask,
  type Fate,
} from './task.ts';

interface FakeCluster {
  status: 'ACTIVE' | 'INACTIVE';
  tags: Input[];
}

interface Definition {
  arn: string;
  family: string;
  input: Input;
  status: 'ACTIVE' | 'INACTIVE';
}

export interface FakeEcs {
  tasks: FakeTask[];
  answer(call: Call): unknown;
  /** Ends a task as Fargate does when it wants its spot capacity back, or when its memory is used up. */
  end(
    task: FakeTask,
    how: { stopCode: string; reason: string; exitCode?: number; containerReason?: string; unannounced?: boolean },
  ): Promise<void>;
}

export function createEcs(options: {
  account: FakeAccount;
  /** How long a task stays PROVISIONING, and PENDING. */
  phaseMs: number;
  fateOf(task: Pick<FakeTask, 'region' | 'family' | 'spot' | 'subnets'>): Fate;
  /** Null: AWS knows none yet. */
  addressOf(number: number): string | null;
  engine?: ContainerEngine;
}): FakeEcs {
  const { account, phaseMs, fateOf, engine } = options;
  const clusters = new Map<string, FakeCluster>();
  const definitions: (Definition & { region: string })[] = [];
  const tasks: FakeTask[] = [];
  const answered = new Map<string, unknown>();

  const cluster = (region: string, name: string): FakeCluster => {
    const found = clusters.get(`${region} ${name}`);
    if (found?.status !== 'ACTIVE') throw new AwsRefusal('ClusterNotFoundException', 'Cluster not found.');
    return found;
  };
  const definition = (region: string, name: string): Definition => {
    const found = definitions
      .filter((each) => each.region === region)
      .findLast((each) => each.arn === name || (each.family === name && each.status === 'ACTIVE'));
    if (found === undefined) throw new AwsRefusal('ClientException', 'Unable to describe task definition.');
    return found;
  };
  const clusterArn = (region: string, name: string) => `arn:aws:ecs:${region}:${FAKE_ACCOUNT}:cluster/${name}`;

  const end: FakeEcs['end'] = async (task, { stopCode, reason, exitCode, containerReason, unannounced = false }) => {
    if (task.desired === 'STOPPED') return;
    task.desired = 'STOPPED';
    task.stopCode = stopCode;
    task.stoppedReason = reason;
    const ran = task.status === 'RUNNING';
    task.status = 'DEPROVISIONING';
    await engine?.stop(task, unannounced);
    for (const container of task.containers) {
      if (ran) container.exitCode ??= exitCode ?? 0;
      container.reason ??= containerReason;
    }
    task.status = 'STOPPED';
    account.of(task.region).interfaces.delete(task.interfaceId);
  };

  const live = (task: FakeTask, fate: Fate) => {
    const later = (act: () => void) => setTimeout(() => task.desired === 'RUNNING' && act(), phaseMs).unref();
    later(() => {
      task.status = 'PENDING';
      if (fate.kind === 'hangs') return;
      later(() => {
        if (fate.kind === 'fails') {
          void end(task, { stopCode: fate.stopCode, reason: fate.reason, containerReason: fate.reason });
          return;
        }
        task.status = 'RUNNING';
        task.startedAt = Date.now() / 1000;
        engine?.start(task, (container) => {
          const over = container.essential || task.containers.every(({ exitCode }) => exitCode !== undefined);
          if (over)
            void end(task, { stopCode: 'EssentialContainerExited', reason: 'Essential container in task exited' });
        });
      });
    });
  };

  const runTasks = (region: string, input: Input) => {
    cluster(region, input.cluster);
    const { input: wanted, family } = definition(region, input.taskDefinition);
    const refuse = (message: string) => {
      throw new AwsRefusal('InvalidParameterException', message);
    };
    if (input.count > TASKS_PER_CALL) refuse('count cannot be more than 10.');
    const network = input.networkConfiguration?.awsvpcConfiguration;
    if (!network?.subnets?.length)
      refuse('Network Configuration must be provided when networkMode awsvpc is specified.');
    for (const group of network.securityGroups) {
      if (!account.of(region).securityGroups.has(group)) refuse(`security group ${group} does not exist`);
    }
    const overrides = input.overrides?.containerOverrides ?? [];
    if (JSON.stringify(overrides).length > OVERRIDE_CHARACTERS)
      refuse('Container Overrides length must be at most 8192');
    const names = wanted.containerDefinitions.map(({ name }: { name: string }) => name);
    for (const { name } of overrides)
      if (!names.includes(name))
        refuse(`Override for container named ${name} is not a container in the TaskDefinition.`);
    const spot = input.capacityProviderStrategy?.[0]?.capacityProvider === 'FARGATE_SPOT';
    const started: FakeTask[] = [];
    const failures: Input[] = [];
    for (let index = 0; index < input.count; index++) {
      const fate = fateOf({ region, family, spot, subnets: network.subnets });
      if (fate.kind === 'refused') {
        failures.push({ arn: clusterArn(region, input.cluster), reason: fate.reason });
        continue;
      }
      checkQuota(region, spot, wanted);
      const number = tasks.length + 1;
      const task: FakeTask = {
        arn: `arn:aws:ecs:${region}:${FAKE_ACCOUNT}:task/${input.cluster}/${number.toString(16).padStart(32, '0')}`,
        region,
        cluster: input.cluster,
        family,
        definition: wanted,
        spot,
        subnets: network.subnets,
        startedBy: input.startedBy ?? '',
        tags: input.tags ?? [],
        environment: Object.fromEntries(
          overrides.map(({ name, environment }: Input) => [
            name,
            Object.fromEntries(environment.map((each: Input) => [each.name, each.value])),
          ]),
        ),
        status: 'PROVISIONING',
        desired: 'RUNNING',
        containers: wanted.containerDefinitions.map(({ name, essential }: FakeContainer) => ({ name, essential })),
        interfaceId: `eni-${number}`,
        address: options.addressOf(number),
      };
      account
        .of(region)
        .interfaces.set(task.interfaceId, { address: task.address, securityGroups: network.securityGroups });
      tasks.push(task);
      started.push(task);
      live(task, fate);
    }
    return { tasks: started.map(describeTask), failures };
  };

  const checkQuota = (region: string, spot: boolean, wanted: Input) => {
    const atWork = tasks.filter((task) => task.region === region && task.spot === spot && task.status !== 'STOPPED');
    const units = atWork.reduce((sum, task) => sum + Number(task.definition.cpu), Number(wanted.cpu));
    const { quotas } = account;
    if (units / CPU_UNITS_PER_VCPU <= (spot ? quotas.spot : quotas.onDemand)) return;
    throw new AwsRefusal('ClientException', "You've reached the limit on the number of vCPUs you can run concurrently");
  };

  const operations: Record<string, (input: Input, region: string) => unknown> = {
    CreateCluster: ({ clusterName, tags }, region) => {
      clusters.set(`${region} ${clusterName}`, { status: 'ACTIVE', tags: tags ?? [] });
      return { cluster: { clusterName, clusterArn: clusterArn(region, clusterName), status: 'ACTIVE' } };
    },
    ListClusters: (_input, region) => ({
      clusterArns: [...clusters]
        .filter(([key, { status }]) => key.startsWith(`${region} `) && status === 'ACTIVE')
        .map(([key]) => clusterArn(region, key.split(' ')[1]!)),
    }),
    DescribeClusters: (input, region) => {
      const named = input.clusters.map((name: string) => name.split('/').at(-1)!);
      return {
        clusters: named.flatMap((clusterName: string) => {
          const found = clusters.get(`${region} ${clusterName}`);
          return found ? [{ clusterName, clusterArn: clusterArn(region, clusterName), ...found }] : [];
        }),
        failures: [],
      };
    },
    DeleteCluster: (input, region) => {
      if (tasks.some((task) => task.region === region && task.cluster === input.cluster && task.status !== 'STOPPED')) {
        throw new AwsRefusal('ClusterContainsTasksException', 'The Cluster cannot be deleted while Tasks are active.');
      }
      cluster(region, input.cluster).status = 'INACTIVE';
      return {};
    },
    RegisterTaskDefinition: (input, region) => {
      checkDefinition(input);
      const revision = definitions.filter((each) => each.region === region && each.family === input.family).length + 1;
      const arn = `arn:aws:ecs:${region}:${FAKE_ACCOUNT}:task-definition/${input.family}:${revision}`;
      definitions.push({ region, arn, family: input.family, input, status: 'ACTIVE' });
      return { taskDefinition: { taskDefinitionArn: arn, revision, ...input } };
    },
    DescribeTaskDefinition: ({ taskDefinition }, region) => {
      const { arn, input, status } = definition(region, taskDefinition);
      return { taskDefinition: { ...input, taskDefinitionArn: arn, status }, tags: input.tags };
    },
    ListTaskDefinitions: ({ status }, region) => ({
      taskDefinitionArns: definitions
        .filter((each) => each.region === region && each.status === status)
        .map(({ arn }) => arn),
    }),
    DeregisterTaskDefinition: ({ taskDefinition }, region) => {
      definition(region, taskDefinition).status = 'INACTIVE';
      return {};
    },
    DeleteTaskDefinitions: (input, region) => {
      for (const arn of input.taskDefinitions) {
        if (definition(region, arn).status === 'ACTIVE') throw new AwsRefusal('ClientException', 'deregister it first');
        definitions.splice(
          definitions.findIndex((each) => each.arn === arn),
          1,
        );
      }
      return { failures: [] };
    },
    RunTask: (input, region) => {
      // The same token again gets the same answer, and starts nothing.
      const key = `${region} ${input.clientToken}`;
      if (!answered.has(key)) answered.set(key, runTasks(region, input));
      return answered.get(key);
    },
    ListTasks: (input, region) => {
      cluster(region, input.cluster);
      return {
        taskArns: tasks
          .filter((task) => task.region === region && task.cluster === input.cluster)
          .filter(({ unlisted }) => unlisted !== true)
          .filter(({ desired }) => desired === (input.desiredStatus ?? 'RUNNING'))
          .filter(({ startedBy }) => input.startedBy === undefined || startedBy === input.startedBy)
          .map(({ arn }) => arn),
      };
    },
    DescribeTasks: (input, region) => {
      cluster(region, input.cluster);
      if (input.tasks.length > TASKS_PER_DESCRIPTION)
        throw new AwsRefusal('InvalidParameterException', 'Tasks cannot have more than 100 items');
      const found = tasks.filter((task) => task.region === region && input.tasks.includes(task.arn));
      const missing = input.tasks.filter((arn: string) => !found.some((task) => task.arn === arn));
      return { tasks: found.map(describeTask), failures: missing.map((arn: string) => ({ arn, reason: 'MISSING' })) };
    },
    StopTask: (input, region) => {
      const task = tasks.find(({ arn }) => arn === input.task);
      if (task?.region !== region)
        throw new AwsRefusal('InvalidParameterException', 'The referenced task was not found.');
      void end(task, { stopCode: 'UserInitiated', reason: input.reason });
      return { task: describeTask(task) };
    },
  };

  return {
    tasks,
    end,
    answer({ operation, input, region }) {
      const answer = operations[operation];
      if (answer === undefined) throw new AwsRefusal('UnknownOperation', `ecs:${operation} is not played here`);
      return answer(input, region);
    },
  };
}
