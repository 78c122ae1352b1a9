/** The template of an experiment's stack: stack.yaml, with the task definitions that the experiment needs in a region. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { UserError } from '../../results/user-error.ts';
import type { Deployment, TaskKind } from './plan/deployment.ts';

/** The longest template that AWS takes without a bucket. */
const LONGEST_TEMPLATE = 51_200;
/** In stack.yaml, the resource that all kinds of tasks are made from. */
const PATTERN = 'Task';

interface TaskDefinition {
  Type: string;
  Properties: { Cpu: string; Memory: string; Family: object; ContainerDefinitions: Container[] };
}

interface Container {
  Name: string;
  LogConfiguration: { Options: Record<string, unknown> };
}

export interface Template {
  Resources: Record<string, TaskDefinition>;
}

/** A kind's name as a template allows it: `Coordinator`, or `Noquill2`. */
export const logicalId = ({ name }: TaskKind): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/**
 * The template for one region.
 *
 * @throws UserError (2) if the experiment has more kinds of tasks than one template holds
 */
export async function stackTemplate({ kinds }: Deployment, region: string): Promise<Template> {
  const template: Template = parse(await readFile(join(import.meta.dirname, 'stack.yaml'), 'utf8'));
  const { [PATTERN]: pattern, ...rest } = template.Resources;
  const here = kinds.filter(({ regions }) => regions.includes(region));
  const tasks = here.map((kind) => [logicalId(kind), definitionOf(kind, pattern!)] as const);
  const made = { ...template, Resources: { ...rest, ...Object.fromEntries(tasks) } };
  if (JSON.stringify(made).length <= LONGEST_TEMPLATE) return made;
  throw new UserError(
    `the experiment needs ${kinds.length} kinds of tasks, more than fit into the ${LONGEST_TEMPLATE} characters of a template; write a smaller "fleet.fargate.usersPerTask", or fewer modes or numbers of users`,
    { exitCode: 2 },
  );
}

function definitionOf({ name, size, containers, share }: TaskKind, pattern: TaskDefinition): TaskDefinition {
  const { Properties } = pattern;
  const [container] = Properties.ContainerDefinitions;
  const { LogConfiguration } = container!;
  const log = { ...LogConfiguration, Options: { ...LogConfiguration.Options, 'awslogs-stream-prefix': name } };
  return {
    ...pattern,
    Properties: {
      ...Properties,
      Family: { 'Fn::Sub': `scriptorium-\${Experiment}-${name}` },
      Cpu: `${size.cpuUnits}`,
      Memory: `${size.memoryMiB}`,
      ContainerDefinitions: containers.map((Name) => ({
        ...container!,
        ...{ Name, Cpu: share.cpuUnits, Memory: share.memoryMiB, LogConfiguration: log },
      })),
    },
  };
}
