/** The calls to ECS about tasks: start some, look at them, stop them and see them gone. */
import { randomUUID } from 'node:crypto';
import { DescribeNetworkInterfacesCommand } from '@aws-sdk/client-ec2';
import {
  DescribeTasksCommand,
  type ListTasksCommandInput,
  paginateListTasks,
  RunTaskCommand,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs';
import { type Clients, type Patience, untilSo } from './clients.ts';
import { type AwsError, errorOf, ifMissing, isMissing, onAws } from './errors.ts';
import { familyName, stackName, taskTags } from './naming.ts';
import { TASKS_PER_CALL } from './plan/deployment.ts';

/** AWS describes no more in one call. */
export const TASKS_PER_DESCRIPTION = 100;

/** Environment of the containers of a task, each by its name. */
export type ContainerVariables = Record<string, Record<string, string>>;

export interface TaskRequest {
  deploymentId: string;
  kind: string;
  count: number;
  spot: boolean;
  /** The same in every task. */
  variables: ContainerVariables;
  /** AWS picks one of them for each task. */
  subnetIds: readonly string[];
  securityGroupIds: readonly string[];
  /** Tells this run's tasks from others'. */
  runId: string;
}

/**
 * Asks for tasks, at most ten a call.
 *
 * @returns the tasks that AWS has taken on, and its errors for the others
 */
export async function runTasks(clients: Clients, request: TaskRequest, signal: AbortSignal) {
  const { region } = clients;
  const arns: string[] = [];
  const errors: AwsError[] = [];
  for (let asked = 0; asked < request.count && !signal.aborted; asked += TASKS_PER_CALL) {
    const count = Math.min(TASKS_PER_CALL, request.count - asked);
    try {
      // A repeated call with the same token starts nothing twice, so the client may repeat it when an answer is lost.
      const input = { ...inputOf(request), count, clientToken: randomUUID() };
      const { tasks = [], failures = [] } = await clients.ecs.send(new RunTaskCommand(input));
      arns.push(...tasks.flatMap(({ taskArn }) => taskArn ?? []));
      const what = `one "${request.kind}" task`;
      errors.push(
        ...failures.map(({ reason, detail }) => errorOf(`${reason}${detail ? `: ${detail}` : ''}`, { what, region })),
      );
    } catch (error) {
      errors.push(errorOf(error, { what: `${count} "${request.kind}" ${count === 1 ? 'task' : 'tasks'}`, region }));
      // The next call would fail like this one.
      break;
    }
  }
  return { arns, errors };
}

function inputOf(request: TaskRequest) {
  const { deploymentId, kind, spot, runId, subnetIds, securityGroupIds } = request;
  const containerOverrides = Object.entries(request.variables).map(([name, variables]) => ({
    name,
    environment: Object.entries(variables).map(([variable, value]) => ({ name: variable, value })),
  }));
  return {
    cluster: stackName(deploymentId),
    taskDefinition: familyName(deploymentId, kind),
    capacityProviderStrategy: [{ capacityProvider: spot ? 'FARGATE_SPOT' : 'FARGATE', weight: 1 }],
    networkConfiguration: {
      awsvpcConfiguration: {
        subnets: [...subnetIds],
        securityGroups: [...securityGroupIds],
        // A public subnet reaches the image and the coordinator only from a public address.
        assignPublicIp: 'ENABLED' as const,
      },
    },
    overrides: { containerOverrides },
    startedBy: runId,
    tags: taskTags(deploymentId),
  };
}

/** The state of tasks, whatever their number, and those that AWS does not know. */
export async function describeTasks(clients: Clients, deploymentId: string, arns: readonly string[]) {
  const tasks: Task[] = [];
  const missing: string[] = [];
  for (const some of chunks(arns)) {
    const described = await onAws({ what: 'the state of tasks', region: clients.region }, () =>
      clients.ecs.send(new DescribeTasksCommand({ cluster: stackName(deploymentId), tasks: some })),
    );
    tasks.push(...(described.tasks ?? []));
    missing.push(...(described.failures ?? []).flatMap(({ arn }) => arn ?? []));
  }
  return { tasks, missing };
}

/** Every task of the cluster that is to run, or of one run only. None if there is no such cluster. */
export async function listTasks(
  { ecs: client, region }: Clients,
  deploymentId: string,
  filter: Pick<ListTasksCommandInput, 'startedBy' | 'family' | 'desiredStatus'> = {},
): Promise<string[]> {
  const input = { cluster: stackName(deploymentId), ...filter };
  return onAws({ what: 'the list of tasks', region }, async () => {
    const pages = await Array.fromAsync(paginateListTasks({ client }, input)).catch(ifMissing([]));
    return pages.flatMap(({ taskArns = [] }) => taskArns);
  });
}

/**
 * Stops all tasks of a deployment in a region, or those of one run, and counts them down to none.
 *
 * @param options.taken tasks that AWS is known to have taken on: it lists new ones only after some seconds
 * @returns the tasks that still ran when the time was over; empty if all are gone
 */
export async function stopTasks(
  clients: Clients,
  deploymentId: string,
  options: Patience & { runId?: string; taken?: Iterable<string> },
): Promise<string[]> {
  const { runId, taken = [] } = options;
  // Those that are to stop, or have in the last hour; AWS does not list them by run.
  const stopping = await listTasks(clients, deploymentId, { desiredStatus: 'STOPPED' });
  const left = new Set([...taken, ...stopping]);
  const check = async () => {
    const listed = await listTasks(clients, deploymentId, { startedBy: runId });
    for (const arn of listed) left.add(arn);
    // One that is to stop is listed no more, but still runs, and still costs.
    const { tasks, missing } = await describeTasks(clients, deploymentId, [...left]);
    const told = new Set<string>();
    for (const { taskArn, lastStatus, desiredStatus, startedBy } of tasks) {
      if (lastStatus === 'STOPPED' || (runId !== undefined && startedBy !== runId)) left.delete(taskArn!);
      if (desiredStatus === 'STOPPED') told.add(taskArn!);
    }
    const toStop = [...left].filter((arn) => !told.has(arn));
    const unknown = new Set(await stopEach(clients, deploymentId, toStop, options));
    // A new one may not be described yet, but can be stopped; what neither finds has been gone for an hour or more.
    for (const arn of missing) if (unknown.has(arn)) left.delete(arn);
    return listed.length === 0 && left.size === 0;
  };
  await untilSo(options, options.pace.stopLimitMs, check);
  return [...left];
}

/**
 * Asks for the end of each task, all at once. An error is told, and `stopTasks` asks again.
 *
 * @returns those that AWS does not know
 */
export async function stopEach(
  { ecs, region }: Clients,
  deploymentId: string,
  arns: readonly string[],
  { say }: Pick<Patience, 'say'>,
): Promise<string[]> {
  const unknown: string[] = [];
  const stop = async (task: string) => {
    const input = { cluster: stackName(deploymentId), task, reason: 'the run does not need it any more' };
    await ecs.send(new StopTaskCommand(input)).catch((error) => {
      if (isMissing(error)) unknown.push(task);
      else say(errorOf(error, { what: `stopping the task ${task.split('/').at(-1)}`, region }).sentence);
    });
  };
  await Promise.all(arns.map(stop));
  return unknown;
}

/** Public IPv4 addresses by task. A task is missing if AWS knows none yet, or has just taken the task back with its interface. */
export async function publicAddresses({ ec2, region }: Clients, tasks: readonly Task[]): Promise<Map<string, string>> {
  const arns = new Map(tasks.flatMap((task) => interfaceIds(task).map((id) => [id, task.taskArn!] as const)));
  const addresses = new Map<string, string>();
  for (const Values of chunks([...arns.keys()])) {
    // By a filter: asked for by its id, one that is gone would fail the call for all others.
    const Filters = [{ Name: 'network-interface-id', Values }];
    const { NetworkInterfaces = [] } = await onAws({ what: 'the addresses of tasks', region }, () =>
      ec2.send(new DescribeNetworkInterfacesCommand({ Filters })),
    );
    for (const { NetworkInterfaceId, Association } of NetworkInterfaces) {
      if (Association?.PublicIp) addresses.set(arns.get(NetworkInterfaceId!)!, Association.PublicIp);
    }
  }
  return addresses;
}

function interfaceIds({ attachments = [] }: Task): string[] {
  const details = attachments.flatMap((attachment) => attachment.details ?? []);
  return details.flatMap(({ name, value }) => (name === 'networkInterfaceId' && value ? [value] : []));
}

const chunks = <T>(list: readonly T[]): T[][] => [
  ...Map.groupBy(list, (_, index) => Math.floor(index / TASKS_PER_DESCRIPTION)).values(),
];
