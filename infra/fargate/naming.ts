/** Names and tags: everything that exists on AWS is found again by these alone. */
import { UserError } from '../../results/user-error.ts';

const PROJECT = 'scriptorium';
const PROJECT_TAG = 'project';
const EXPERIMENT_TAG = 'scriptorium:experiment';

/** Names of stacks, clusters, repositories and task definitions begin so. */
export const NAME_PREFIX = `${PROJECT}-`;

/** The id of an experiment's stacks: its name in letters that every service accepts, and short, since names around it have 64 at most. */
export function deploymentId(experimentName: string): string {
  const id = experimentName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return id === '' ? 'experiment' : id;
}

/** @throws UserError (2) if a person's text cannot be an id */
export function checkDeploymentId(id: string): string {
  if (deploymentId(id) === id) return id;
  throw new UserError(
    `"${id}" cannot be the id of an experiment on AWS: it has letters a-z, digits and "-", at most 40. ./scriptorium fargate status lists those that exist.`,
  );
}

/** The name of an experiment's stack in each region, and of its cluster and its repository. */
export const stackName = (id: string) => `${NAME_PREFIX}${id}`;
export const familyName = (id: string, kind: string) => `${NAME_PREFIX}${id}-${kind}`;

/** The tags of every stack, which CloudFormation passes on to its resources. */
export const stackTags = (id: string) => [
  { Key: PROJECT_TAG, Value: PROJECT },
  { Key: EXPERIMENT_TAG, Value: id },
];
/** The same for tasks. */
export const taskTags = (id: string) => stackTags(id).map(({ Key, Value }) => ({ key: Key, value: Value }));

/** @returns the experiment's id, or null if the tags are not this project's */
export function experimentOf(tags: readonly { Key?: string; Value?: string }[] = []): string | null {
  const tagged = (name: string) => tags.find(({ Key }) => Key === name)?.Value;
  return tagged(PROJECT_TAG) === PROJECT ? (tagged(EXPERIMENT_TAG) ?? null) : null;
}
