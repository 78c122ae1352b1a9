/** The policy that people attach grants every call that is made, by the code or by CloudFormation for it, and no other. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXAMPLE, HOME } from '../../tests/aws/example.ts';
import { stackTemplate } from './template.ts';

/** Services by the package whose commands call them. */
const SERVICES: Record<string, string> = {
  '@aws-sdk/client-cloudformation': 'cloudformation',
  '@aws-sdk/client-ecs': 'ecs',
  '@aws-sdk/client-ec2': 'ec2',
  '@aws-sdk/client-ecr': 'ecr',
  '@aws-sdk/client-sts': 'sts',
  '@aws-sdk/client-service-quotas': 'servicequotas',
};
/**
 * CloudFormation's calls with the person's rights, by type of resource: to create, change, tag, read and delete it. Whom the role trusts
 * does not change, so that whoever has the policy cannot take the role.
 */
const OF_RESOURCES: Record<string, string> = {
  'AWS::ECR::Repository':
    'ecr: CreateRepository DescribeRepositories DeleteRepository PutImageTagMutability PutImageScanningConfiguration GetLifecyclePolicy GetRepositoryPolicy ListTagsForResource TagResource UntagResource',
  'AWS::Logs::LogGroup':
    'logs: CreateLogGroup DeleteLogGroup DescribeLogGroups PutRetentionPolicy DeleteRetentionPolicy GetDataProtectionPolicy DescribeIndexPolicies ListTagsForResource TagResource UntagResource',
  'AWS::ECS::Cluster':
    'ecs: CreateCluster UpdateCluster PutClusterCapacityProviders DescribeClusters DeleteCluster TagResource UntagResource; iam: CreateServiceLinkedRole',
  'AWS::ECS::TaskDefinition':
    'ecs: RegisterTaskDefinition DescribeTaskDefinition DeregisterTaskDefinition TagResource UntagResource; iam: GetRole PassRole',
  'AWS::IAM::Role':
    'iam: CreateRole GetRole DeleteRole PutRolePolicy GetRolePolicy DeleteRolePolicy ListRolePolicies ListAttachedRolePolicies TagRole UntagRole',
  'AWS::EC2::SecurityGroup':
    'ec2: CreateSecurityGroup DescribeSecurityGroups DescribeSecurityGroupRules DeleteSecurityGroup AuthorizeSecurityGroupIngress RevokeSecurityGroupIngress RevokeSecurityGroupEgress CreateTags DeleteTags',
};
const actionsOf = (type: string) =>
  OF_RESOURCES[type]!.split('; ').flatMap((calls) => {
    const [service, names] = calls.split(': ');
    return names!.split(' ').map((name) => `${service}:${name}`);
  });
/** Rights that AWS asks for besides the call itself: for a list of stacks, a stack's tags, and docker's push. */
const IMPLIED = [
  'cloudformation:ListStacks',
  'cloudformation:TagResource',
  'ecr:BatchCheckLayerAvailability',
  'ecr:InitiateLayerUpload',
  'ecr:UploadLayerPart',
  'ecr:CompleteLayerUpload',
  'ecr:PutImage',
  'ecr:BatchGetImage',
];

test('iam-policy.json grants what is called, no more and no less', async () => {
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter((name) => /^[^.]+\.ts$/.test(name));
  const called = new Set(IMPLIED);
  for (const file of files) {
    const source = await readFile(join(import.meta.dirname, file), 'utf8');
    for (const [, names, from] of source.matchAll(/import \{([^}]+)\} from '(@aws-sdk\/[^']+)'/g)) {
      // Some are imported under another name: the first is AWS's.
      for (const [, name] of names!.matchAll(/(?:^|,)\s*(\w+)Command\b/g)) called.add(`${SERVICES[from!]}:${name}`);
      for (const [, name] of names!.matchAll(/\bpaginate(\w+)/g)) called.add(`${SERVICES[from!]}:${name}`);
    }
  }
  for (const { Type } of Object.values((await stackTemplate(EXAMPLE, HOME)).Resources)) {
    for (const action of actionsOf(Type)) called.add(action);
  }
  const policy = JSON.parse(await readFile(join(import.meta.dirname, 'iam-policy.json'), 'utf8'));
  const granted: string[] = policy.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action);
  expect([...new Set(granted)].sort()).toEqual([...called].sort());
});

interface Statement {
  Action: string | string[];
  Resource: string | string[];
  Condition?: {
    StringEquals?: Record<string, string>;
    'ForAnyValue:StringEquals'?: Record<string, string>;
    ArnLike?: Record<string, string>;
  };
}
const ACCOUNT = '123456789012';
const BOUNDARY = `arn:aws:iam::${ACCOUNT}:policy/scriptorium-boundary`;
const statementsOf = async (file: string): Promise<Statement[]> =>
  JSON.parse(await readFile(join(import.meta.dirname, file), 'utf8')).Statement;
const each = (value: string | string[]) => [value].flat();
const fits = (pattern: string, text: string) =>
  new RegExp(`^${RegExp.escape(pattern).replaceAll('\\*', '.*')}$`).test(text);

/** As AWS decides by statements that only allow: one has the action, the resource, and all of its conditions hold. */
function allows(
  statements: Statement[],
  action: string,
  resource: string,
  context: Record<string, string> = {},
): boolean {
  return statements.some(({ Action, Resource, Condition = {} }) => {
    const { StringEquals = {}, 'ForAnyValue:StringEquals': anyEqual = {}, ArnLike = {} } = Condition;
    const equal = ([key, value]: [string, string]) =>
      context[key] === value.replace(/\$\{aws:PrincipalAccount\}/, ACCOUNT);
    const alike = ([key, value]: [string, string]) => fits(value, context[key] ?? '');
    return (
      each(Action).some((name) => fits(name, action)) &&
      each(Resource).some((pattern) => fits(pattern, resource)) &&
      Object.entries({ ...StringEquals, ...anyEqual }).every(equal) &&
      Object.entries(ArnLike).every(alike)
    );
  });
}

test('whoever has iam-policy.json cannot make a role with more than the boundary', async () => {
  const policy = await statementsOf('iam-policy.json');
  const role = `arn:aws:iam::${ACCOUNT}:role/scriptorium/mine`;
  for (const action of ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:DeleteRolePolicy']) {
    expect(allows(policy, action, role), action).toBe(false);
    const other = { 'iam:PermissionsBoundary': `arn:aws:iam::${ACCOUNT}:policy/mine` };
    expect(allows(policy, action, role, other), action).toBe(false);
    expect(allows(policy, action, role, { 'iam:PermissionsBoundary': BOUNDARY }), action).toBe(true);
  }
  // Other rights could widen a role, its boundary or the policy's owner, or have the owner take a role.
  const widening =
    /^(?:iam:(?!CreateRole$|PutRolePolicy$|DeleteRolePolicy$|PassRole$|CreateServiceLinkedRole$)(?:Create|Put|Attach|Detach|Update|Set|Add|Delete(?!Role$))|sts:Assume|.*\*)/;
  expect(policy.flatMap(({ Action }) => each(Action)).filter((action) => widening.test(action))).toEqual([]);
  expect(allows(policy, 'iam:PassRole', role, { 'iam:PassedToService': 'lambda.amazonaws.com' })).toBe(false);
});

test('whoever has iam-policy.json cannot make another’s security group one of the project’s, and open it', async () => {
  const policy = await statementsOf('iam-policy.json');
  const group = `arn:aws:ec2:eu-north-1:${ACCOUNT}:security-group/sg-1`;
  const ofProject = { 'aws:ResourceTag/project': 'scriptorium' };
  expect(allows(policy, 'ec2:AuthorizeSecurityGroupIngress', group)).toBe(false);
  expect(allows(policy, 'ec2:AuthorizeSecurityGroupIngress', group, ofProject)).toBe(true);
  for (const action of ['ec2:CreateTags', 'ec2:DeleteTags']) {
    expect(allows(policy, action, group), action).toBe(false);
    expect(allows(policy, action, group, ofProject), action).toBe(false);
    // A stack tags the groups that it makes.
    expect(allows(policy, action, group, { 'aws:CalledVia': 'cloudformation.amazonaws.com' }), action).toBe(true);
    expect(allows(policy, action, group.replace('security-group', 'vpc'), ofProject), action).toBe(false);
  }
});

test('the role of the stack has the boundary, and needs nothing beyond it', async () => {
  const stack = parse(await readFile(join(import.meta.dirname, 'stack.yaml'), 'utf8'));
  const { ExecutionRole } = stack.Resources;
  const roles = Object.values<{ Type: string }>(stack.Resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
  expect(roles).toEqual([ExecutionRole]);
  expect(ExecutionRole.Properties.PermissionsBoundary['Fn::Sub'].replace(/\$\{AWS::AccountId\}/, ACCOUNT)).toBe(
    BOUNDARY,
  );
  expect(ExecutionRole.Properties.Path).toBe('/scriptorium/');
  const boundary = await statementsOf('iam-boundary.json');
  const own: Record<string, string> = {
    Repository: `arn:aws:ecr:eu-north-1:${ACCOUNT}:repository/scriptorium-example`,
    Log: `arn:aws:logs:eu-north-1:${ACCOUNT}:log-group:/scriptorium/example:log-stream:x`,
  };
  const [{ PolicyDocument }] = ExecutionRole.Properties.Policies;
  for (const { Action, Resource } of PolicyDocument.Statement) {
    const resource = Resource === '*' ? '*' : own[Resource['Fn::GetAtt'][0]]!;
    for (const action of each(Action)) expect(allows(boundary, action, resource), action).toBe(true);
  }
  expect(allows(boundary, 'iam:CreateUser', '*')).toBe(false);
  expect(allows(boundary, 'ecr:BatchGetImage', `arn:aws:ecr:eu-north-1:${ACCOUNT}:repository/other`)).toBe(false);
});
