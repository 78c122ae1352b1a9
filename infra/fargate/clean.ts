/** `status` and `clean`: experiments on AWS with their tasks, and all of it removed. */
import { DescribeRegionsCommand } from '@aws-sdk/client-ec2';
import { BatchDeleteImageCommand, ListImagesCommand } from '@aws-sdk/client-ecr';
import type { Task } from '@aws-sdk/client-ecs';
import type { Aws, Clients } from './clients.ts';
import { onAws } from './errors.ts';
import { findLeftovers, removeLeftover } from './leftovers.ts';
import { backOff } from './pace.ts';
import { deleteStack, findStack, listStacks, type Stack, type StackOptions } from './stacks.ts';
import { describeTasks, listTasks, stopTasks } from './tasks.ts';

/** A network interface holds its security group for some time after its task. */
const ROUNDS = 5;

/** A thing that is still there, with the reason that AWS gives. */
export interface Left {
  region: string;
  what: string;
  why: string;
}

export interface ExperimentStatus {
  id: string;
  stacks: Stack[];
  tasks: { region: string; task: Task }[];
}

/**
 * The regions in which there may be something: all that the account uses.
 *
 * @param home the region that is asked
 */
export async function allRegions(aws: Aws, home: string): Promise<string[]> {
  const { Regions = [] } = await onAws({ what: "the account's regions", region: home }, () =>
    aws(home).ec2.send(new DescribeRegionsCommand({})),
  );
  return Regions.flatMap(({ RegionName }) => RegionName ?? []).sort();
}

/** @throws UserError (3) if a region cannot be asked */
export async function readStatus(aws: Aws, regions: readonly string[]): Promise<ExperimentStatus[]> {
  const inRegions = regions.map(async (region) => {
    const clients = aws(region);
    const stacks = await listStacks(clients);
    return Promise.all(
      stacks.map(async (stack) => {
        const { id } = stack;
        const { tasks } = await describeTasks(clients, id, await listTasks(clients, id));
        return { id, stacks: [stack], tasks: tasks.map((task) => ({ region, task })) };
      }),
    );
  });
  const byId = Map.groupBy((await Promise.all(inRegions)).flat(), ({ id }) => id);
  return [...byId].sort().map(([id, parts]) => ({
    id,
    stacks: parts.flatMap(({ stacks }) => stacks),
    tasks: parts.flatMap(({ tasks }) => tasks),
  }));
}

/**
 * Stops all tasks of one experiment or of every one, deletes its stacks, and looks again by name.
 *
 * @param options.id null: of every experiment
 * @throws UserError (3) if AWS cannot be asked what there is
 */
export async function clean(
  options: StackOptions & { aws: Aws; regions: readonly string[]; id: string | null },
): Promise<{ removed: string[]; left: Left[] }> {
  const { aws, regions, id } = options;
  const removed: string[] = [];
  const inRegions = regions.map(async (region) => {
    const clients = aws(region);
    const ids = id === null ? (await listStacks(clients)).map((stack) => stack.id) : [id];
    const left: Left[] = [];
    for (const each of ids) left.push(...(await cleanOne(clients, each, options, removed)));
    return left;
  });
  return { removed, left: (await Promise.all(inRegions)).flat() };
}

async function cleanOne(clients: Clients, id: string, options: StackOptions, removed: string[]): Promise<Left[]> {
  const { region } = clients;
  const { say, pace, signal } = options;
  const gone = (what: string) => {
    removed.push(`${region}: ${what}`);
    say(`removed ${what} (${region})`);
  };
  let left: Left[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await backOff(pace, round - 1, signal);
    const stack = await findStack(clients, id);
    const arns = await stopTasks(clients, id, options);
    left = arns.map((arn) => ({ region, what: `task ${arn}`, why: 'it has not stopped yet' }));
    if (stack !== null && left.length === 0) {
      await emptyRepository(clients, stack);
      const why = await deleteStack(clients, stack, options);
      if (why === null) gone(`stack ${stack.name}`);
      else left.push({ region, what: `stack ${stack.name}`, why });
    }
    // The second look, by name.
    for (const leftover of left.length === 0 ? await findLeftovers(clients, id) : []) {
      const why = await removeLeftover(leftover);
      if (why === null) gone(leftover.what);
      else left.push({ region, what: leftover.what, why });
    }
    if (left.length === 0) return [];
  }
  return left;
}

/** CloudFormation would do it, too, but says less if it cannot. */
async function emptyRepository({ ecr, region }: Clients, { name: repositoryName }: Stack): Promise<void> {
  await onAws({ what: `the images of ${repositoryName}`, region }, async () => {
    const list = () => ecr.send(new ListImagesCommand({ repositoryName })).catch(() => ({ imageIds: [] }));
    for (let { imageIds = [] } = await list(); imageIds.length > 0; { imageIds = [] } = await list()) {
      const { failures = [] } = await ecr.send(new BatchDeleteImageCommand({ repositoryName, imageIds }));
      if (failures.length > 0) throw new Error(failures[0]!.failureReason ?? 'AWS does not say why');
    }
  });
}
