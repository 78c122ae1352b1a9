/** `clean`: removes what tags say is the project's, whoever made it and whatever happened since, and looks again. */
import { DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DeleteSecurityGroupCommand } from '@aws-sdk/client-ec2';
import { DeleteRepositoryCommand } from '@aws-sdk/client-ecr';
import {
  DeleteClusterCommand,
  DeleteTaskDefinitionsCommand,
  DeregisterTaskDefinitionCommand,
} from '@aws-sdk/client-ecs';
import { DeleteRoleCommand, DeleteRolePolicyCommand, ListRolePoliciesCommand } from '@aws-sdk/client-iam';
import type { Aws, Clients } from '../clients.ts';
import { faultOf, isMissing } from '../faults.ts';
import { backOff, type Pace } from '../pace.ts';
import { stopTasks } from '../tasks/stopping.ts';
import { findResources, type Resource } from './find-resources.ts';

/** A security group is held by a network interface for some time after its task; so are other things by others. */
const ROUNDS = 5;

export interface Cleaned {
  removed: Resource[];
  /** What is still there, with what AWS says about it; empty where all is gone. */
  left: { what: string; region: string; why: string }[];
}

/**
 * Stops all tasks and removes all resources of one experiment, or of every one.
 *
 * @param options.id null: of every experiment
 * @throws UserError (3) where AWS cannot be asked what there is
 */
export async function clean(options: {
  aws: Aws;
  regions: readonly string[];
  id: string | null;
  pace: Pace;
  signal?: AbortSignal;
  say(message: string): void;
}): Promise<Cleaned> {
  const { aws, regions, id, pace, signal, say } = options;
  const removed = new Map<string, Resource>();
  let left: Cleaned['left'] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await backOff(pace, round - 1, signal);
    signal?.throwIfAborted();
    const found = (await findResources(aws, regions)).filter((resource) => id === null || resource.id === id);
    if (found.length === 0) return { removed: [...removed.values()], left: [] };
    left = [];
    const inCluster = found.filter(({ kind }) => kind === 'cluster');
    const running = inCluster.map(async (cluster) => {
      const arns = await stopTasks(aws(cluster.region), cluster.id, { pace, signal, say });
      left.push(...arns.map((arn) => ({ what: `task ${arn}`, region: cluster.region, why: 'it has not stopped yet' })));
    });
    await Promise.all(running);
    for (const resource of found) {
      const clients = aws(resource.region === 'everywhere' ? regions[0]! : resource.region);
      const why = await remove(clients, resource);
      if (why === null) {
        if (!removed.has(keyOf(resource))) say(`removed ${resource.kind} ${resource.name} (${resource.region})`);
        removed.set(keyOf(resource), resource);
      } else {
        left.push({ what: `${resource.kind} ${resource.name}`, region: resource.region, why });
      }
    }
  }
  // The last look: a service may go on listing for a while what it has removed.
  const still = (await findResources(aws, regions)).filter((resource) => id === null || resource.id === id);
  const unexplained = still.filter(({ kind, name }) => !left.some(({ what }) => what === `${kind} ${name}`));
  left.push(
    ...unexplained.map(({ kind, name, region }) => ({ what: `${kind} ${name}`, region, why: 'AWS still lists it' })),
  );
  return { removed: [...removed.values()], left };
}

function keyOf({ kind, name, region }: Resource): string {
  return `${kind} ${name} ${region}`;
}

/** @returns null where it is gone, also if it was before; else why it is not */
async function remove(clients: Clients, resource: Resource): Promise<string | null> {
  try {
    await removers[resource.kind](clients, resource.name);
    return null;
  } catch (error) {
    if (isMissing(error)) return null;
    return faultOf(error, { what: `${resource.kind} ${resource.name}`, region: resource.region }).sentence;
  }
}

const removers: Record<Resource['kind'], (clients: Clients, name: string) => Promise<unknown>> = {
  'task definition': async ({ ecs }, taskDefinition) => {
    await ecs.send(new DeregisterTaskDefinitionCommand({ taskDefinition })).catch((error) => {
      // One that is inactive already has only to be deleted.
      if (!/inactive/i.test(String((error as Error).message))) throw error;
    });
    const { failures = [] } = await ecs.send(new DeleteTaskDefinitionsCommand({ taskDefinitions: [taskDefinition] }));
    if (failures.length > 0) throw new Error(failures[0]!.reason ?? 'AWS does not say why');
  },
  cluster: ({ ecs }, cluster) => ecs.send(new DeleteClusterCommand({ cluster })),
  'security group': ({ ec2 }, GroupId) => ec2.send(new DeleteSecurityGroupCommand({ GroupId })),
  'log group': ({ logs }, logGroupName) => logs.send(new DeleteLogGroupCommand({ logGroupName })),
  repository: ({ ecr }, repositoryName) => ecr.send(new DeleteRepositoryCommand({ repositoryName, force: true })),
  'execution role': async ({ iam }, RoleName) => {
    const { PolicyNames = [] } = await iam.send(new ListRolePoliciesCommand({ RoleName }));
    for (const PolicyName of PolicyNames) await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
    await iam.send(new DeleteRoleCommand({ RoleName }));
  },
};
