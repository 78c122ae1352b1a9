/** The template of an experiment's stack: stack.yaml, with the task definitions that the experiment needs in a region. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { UserError } from '../../results/user-error.ts';
import type { Deployment, TaskKind } from './plan/deployment.ts';

/** The longest template that AWS takes without a bucket. */
const LONGEST_TEMPLATE = 51_200;
/** In stack.yaml, the resource that all kinds of tasks are made from, and the name that stands in it for theirs. */
const PATTERN = 'Task';
const PATTERN_NAME = 'noquill-1';

interface TaskDefinition {
  Type: string;
  Properties: { Family: object; ContainerDefinitions: object[] };
}

export interface Template {
  Resources: Record<string, TaskDefinition>;
}

/** A kind's name as a template allows it, such as `noquill2`. */
export const logicalId = ({ name }: TaskKind): string => name.replaceAll('-', '');

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
  );
}

function definitionOf({ name, size, containers, share }: TaskKind, pattern: TaskDefinition): TaskDefinition {
  const { Type, Properties }: TaskDefinition = JSON.parse(JSON.stringify(pattern).replaceAll(PATTERN_NAME, name));
  const own = { ...Properties.ContainerDefinitions[0], Cpu: share.cpuUnits, Memory: share.memoryMiB };
  const ContainerDefinitions = containers.map((Name) => ({ ...own, Name }));
  const limits = { Cpu: `${size.cpuUnits}`, Memory: `${size.memoryMiB}` };
  return { Type, Properties: { ...Properties, ...limits, ContainerDefinitions } };
}
