/** Tasks of ECS on the fake AWS: how RunTask makes them from a stack's definitions, and how DescribeTasks tells of them. */
import { TASKS_PER_CALL } from '../../infra/fargate/plan/deployment.ts';
import { AwsRefusal, type Input } from './protocols.ts';

export const FAKE_ACCOUNT = '123456789012';

/** The fate of a task that is asked for. */
export type Fate =
  | { kind: 'runs' }
  /** It is in `failures[]`. */
  | { kind: 'refused'; reason: string }
  /** It is accepted, and stops before it runs. */
  | { kind: 'fails'; stopCode: string; reason: string }
  /** It stays PENDING. */
  | { kind: 'hangs' };

/** How a task ends that nobody stopped. */
export interface TaskEnd {
  stopCode: string;
  reason: string;
  exitCode?: number;
  containerReason?: string;
  /** Its containers hear no SIGTERM first. */
  unannounced?: boolean;
}

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
  /** Null: AWS does not know the address yet. */
  address: string | null;
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
export function checkRequest(input: Input, definition: Input, securityGroups: ReadonlyMap<string, unknown>): void {
  const { subnets = [], securityGroups: groups = [] } = input.networkConfiguration?.awsvpcConfiguration ?? {};
  const unknown = groups.find((group: string) => !securityGroups.has(group));
  const overrides = overridesOf(input);
  const names = definition.ContainerDefinitions.map(({ Name }: Input) => Name);
  const stray = overrides.find(({ name }) => !names.includes(name))?.name;
  const refusals: [boolean, string][] = [
    [input.count > TASKS_PER_CALL, 'count cannot be more than 10.'],
    [subnets.length === 0, 'Network Configuration must be provided when networkMode awsvpc is specified.'],
    [unknown !== undefined, `security group ${unknown} does not exist`],
    [JSON.stringify(overrides).length > 8192, 'Container Overrides length must be at most 8192'],
    [stray !== undefined, `Override for container named ${stray} is not a container in the TaskDefinition.`],
  ];
  const refused = refusals.find(([isSo]) => isSo);
  if (refused !== undefined) throw new AwsRefusal('InvalidParameterException', refused[1]);
}

const overridesOf = (input: Input): Input[] => input.overrides?.containerOverrides ?? [];

/** A task as RunTask makes it. */
export function createTask(
  options: Pick<FakeTask, 'region' | 'family' | 'definition' | 'spot' | 'address'> & { number: number; input: Input },
): FakeTask {
  const { number, input, ...own } = options;
  const hex = number.toString(16).padStart(32, '0');
  return {
    ...own,
    arn: `arn:aws:ecs:${own.region}:${FAKE_ACCOUNT}:task/${input.cluster}/${hex}`,
    cluster: input.cluster,
    subnets: input.networkConfiguration.awsvpcConfiguration.subnets,
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
  const { family, status, desired, spot, region, interfaceId, arn, startedBy, startedAt, ...rest } = task;
  const { stopCode, stoppedReason, tags, containers } = rest;
  return {
    ...{ taskArn: arn, group: `family:${family}`, lastStatus: status, desiredStatus: desired, startedBy, startedAt },
    ...{ stopCode, stoppedReason, tags, availabilityZone: `${region}a` },
    capacityProviderName: spot ? 'FARGATE_SPOT' : 'FARGATE',
    attachments: [{ type: 'ElasticNetworkInterface', details: [{ name: 'networkInterfaceId', value: interfaceId }] }],
    containers: containers.map((container) => ({ ...container, lastStatus: status })),
  };
}
