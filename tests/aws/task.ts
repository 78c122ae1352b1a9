/** A task of the fake ECS: its state, its valid requests, and its description. */
import { TASKS_PER_CALL } from '../../infra/fargate/plan/deployment.ts';
import { OVERRIDE_CHARACTERS } from '../../infra/fargate/tasks.ts';
import { FAKE_ACCOUNT, type FakeRegion } from './account.ts';
import { AwsRefusal, type Input } from './protocols.ts';

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

/** @throws AwsRefusal if RunTask would not take it */
export function checkRequest(input: Input, definition: Input, region: FakeRegion): void {
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

export const networkOf = (input: Input) => input.networkConfiguration?.awsvpcConfiguration;
const overridesOf = (input: Input): Input[] => input.overrides?.containerOverrides ?? [];

/** A task as RunTask makes it. */
export function createTask(
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
export function describeTask(task: FakeTask) {
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
