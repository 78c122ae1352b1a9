/** Names and tags: everything that exists on AWS is found again by these alone. */
import { UserError } from '../../results/user-error.ts';

export const PROJECT = 'scriptorium';
export const PROJECT_TAG = 'project';
export const EXPERIMENT_TAG = 'scriptorium:experiment';
/** What a task definition was made from, so that a second `up` sees that nothing changed. */
export const FINGERPRINT_TAG = 'scriptorium:fingerprint';

/** Names of all resources begin so; where a service lists by prefix, this is it. */
export const NAME_PREFIX = `${PROJECT}-`;
/** Log groups and roles have paths. */
export const PATH_PREFIX = `/${PROJECT}/`;

/** An id becomes part of names; the shortest of them, a role's, may have 64 characters, with what stands around it. */
const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The id of an experiment's resources: its name in letters that every service accepts. */
export function deploymentId(experimentName: string): string {
  const id = experimentName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return id === '' ? 'experiment' : id;
}

/** @throws UserError (2) where a person's text cannot be an id */
export function checkDeploymentId(id: string): string {
  if (ID_PATTERN.test(id)) return id;
  throw new UserError(
    `"${id}" cannot be the id of an experiment on AWS: it has letters a-z, digits and "-", at most 40. ./scriptorium fargate status lists those that exist.`,
    { exitCode: 2 },
  );
}

export const clusterName = (id: string) => `${NAME_PREFIX}${id}`;
export const repositoryName = clusterName;
export const roleName = clusterName;
export const logGroupName = (id: string) => `${PATH_PREFIX}${id}`;
export const familyName = (id: string, kind: string) => `${NAME_PREFIX}${id}-${kind}`;
export const securityGroupName = (id: string, index: number) => `${NAME_PREFIX}${id}-${index}`;

/** The tags of every resource, as name and value; each service spells the two differently. */
export function tagPairs(id: string): [string, string][] {
  return [
    [PROJECT_TAG, PROJECT],
    [EXPERIMENT_TAG, id],
  ];
}
/** For ECS and the log service's map. */
export const ecsTags = (id: string) => tagPairs(id).map(([key, value]) => ({ key, value }));
/** For EC2, ECR and IAM. */
export const capitalTags = (id: string) => tagPairs(id).map(([Key, Value]) => ({ Key, Value }));
