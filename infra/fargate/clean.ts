/** `status` and `clean`: experiments on AWS with their tasks, and all of it removed. */
import { DescribeRegionsCommand } from '@aws-sdk/client-ec2';
import { BatchDeleteImageCommand, ListImagesCommand } from '@aws-sdk/client-ecr';
import type { Task } from '@aws-sdk/client-ecs';
import { UserError } from '../../results/user-error.ts';
import { type Aws, backOff, type Clients, type Patience } from './clients.ts';
import { errorOf, onAws } from './errors.ts';
import { deleteStack, findStack, listStacks, type Stack } from './stacks.ts';
import { describeTasks, listTasks, stopTasks } from './tasks.ts';

/** A network interface holds its security group for some time after its task. */
const ROUNDS = 5;

/** A stack of an experiment, with those of its tasks that run. */
export interface Standing {
  stack: Stack;
  tasks: Task[];
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
export async function readStatus(aws: Aws, regions: readonly string[]): Promise<Standing[]> {
  const inRegions = regions.map(async (region) => {
    const clients = aws(region);
    const standing = (await listStacks(clients)).map(async (stack) => {
      const { tasks } = await describeTasks(clients, stack.id, await listTasks(clients, stack.id));
      return { stack, tasks };
    });
    return Promise.all(standing);
  });
  return (await Promise.all(inRegions)).flat();
}

/**
 * Stops all tasks of one experiment or of every one, and deletes its stacks with all that is in them.
 *
 * @param options.id null: of every experiment
 * @returns everything that is gone now, and everything that is still there, with the reason that AWS gives
 * @throws UserError (3) if AWS cannot be asked what there is
 */
export async function clean(
  options: Patience & { aws: Aws; regions: readonly string[]; id: string | null },
): Promise<{ removed: string[]; left: string[] }> {
  const { aws, regions, id } = options;
  const removed: string[] = [];
  const inRegions = regions.map(async (region) => {
    const clients = aws(region);
    const ids = id === null ? (await listStacks(clients)).map((stack) => stack.id) : [id];
    const left: string[] = [];
    for (const each of ids) left.push(...(await cleanOne(clients, each, options, removed)));
    return left;
  });
  return { removed, left: (await Promise.all(inRegions)).flat() };
}

async function cleanOne(clients: Clients, id: string, patience: Patience, removed: string[]): Promise<string[]> {
  const { region } = clients;
  let left: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await backOff(patience, round - 1);
    const running = await stopTasks(clients, id, patience);
    left = running.map((arn) => `${region}: task ${arn}: it has not stopped yet`);
    if (left.length > 0) continue;
    const stack = await findStack(clients, id);
    if (stack === null) return [];
    const what = `stack ${stack.name}`;
    try {
      await emptyRepository(clients, stack);
      await deleteStack(clients, stack, patience);
      removed.push(`${region}: ${what}`);
      patience.say(`removed ${what} (${region})`);
      return [];
    } catch (error) {
      const why = error instanceof UserError ? error.message : errorOf(error, { what, region }).sentence;
      left = [`${region}: ${what}: ${why}`];
    }
  }
  return left;
}

/** CloudFormation would do it, too, but says less if it cannot. */
async function emptyRepository({ ecr }: Clients, { name: repositoryName }: Stack): Promise<void> {
  const list = () => ecr.send(new ListImagesCommand({ repositoryName })).catch(() => ({ imageIds: [] }));
  for (let { imageIds = [] } = await list(); imageIds.length > 0; { imageIds = [] } = await list()) {
    const { failures = [] } = await ecr.send(new BatchDeleteImageCommand({ repositoryName, imageIds }));
    if (failures.length > 0) throw new Error(failures[0]!.failureReason ?? 'AWS does not say why');
  }
}
