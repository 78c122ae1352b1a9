/** Whether what `up` creates is there, before a run builds on it. */
import { isDeepStrictEqual } from 'node:util';
import { DescribeTaskDefinitionCommand, type TaskDefinition } from '@aws-sdk/client-ecs';
import { UserError } from '../../../results/user-error.ts';
import type { Aws } from '../clients.ts';
import { isMissing, onAws } from '../faults.ts';
import { familyName } from '../naming.ts';
import { findSecurityGroups, groupsNeeded } from '../network/security-groups.ts';
import type { Deployment, TaskKind } from '../plan/deployment.ts';
import { listTasks } from '../tasks/stopping.ts';

/**
 * @throws UserError (3) where something is missing, or is not what the experiment now asks for, and where a run
 *         of the same experiment is under way
 */
export async function verifyProvisioned(aws: Aws, deployment: Deployment): Promise<void> {
  const { id, regions, kinds } = deployment;
  const upAgain = 'call ./scriptorium fargate up for this experiment first';
  for (const region of regions) {
    const clients = aws(region);
    for (const kind of kinds.filter((each) => each.regions.includes(region))) {
      const family = familyName(id, kind.name);
      const { taskDefinition } = await onAws({ what: `the task definition ${family}`, region }, () =>
        clients.ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: family })).catch((error) => {
          if (isMissing(error)) return { taskDefinition: undefined };
          throw error;
        }),
      );
      if (taskDefinition === undefined || !isSame(taskDefinition, kind)) {
        const what = taskDefinition === undefined ? 'is missing' : 'is not what the experiment asks for';
        throw new UserError(`the task definition ${family} ${what} in ${region}; ${upAgain}`, { exitCode: 3 });
      }
    }
    const groups = await findSecurityGroups(clients, id);
    if (groups.length < groupsNeeded(deployment, region)) {
      throw new UserError(`security groups of "${id}" are missing in ${region}; ${upAgain}`, { exitCode: 3 });
    }
    const running = await listTasks(clients, id);
    if (running.length > 0) {
      throw new UserError(
        `${running.length} tasks of "${id}" run in ${region} already. Wait for that run to end, or end it with: ./scriptorium fargate clean ${id}`,
        { exitCode: 3 },
      );
    }
  }
}

/** Whether a definition still is what the experiment asks for: sizes and commands, whatever its image is. */
function isSame(standing: TaskDefinition, { size, containers }: TaskKind): boolean {
  const asked = containers.map(({ name, command, cpuUnits, memoryMiB }) => ({ name, command, cpuUnits, memoryMiB }));
  const found = (standing.containerDefinitions ?? []).map(({ name, command, cpu, memory }) => {
    return { name, command, cpuUnits: cpu, memoryMiB: memory };
  });
  const isSize = Number(standing.cpu) === size.cpuUnits && Number(standing.memory) === size.memoryMiB;
  return isSize && isDeepStrictEqual(found, asked);
}
