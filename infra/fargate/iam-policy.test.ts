/** The policy that people attach grants every call that is made, by the code or by CloudFormation for it, and no other. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLE, HOME } from '../../tests/aws/example.ts';
import { stackTemplate } from './template.ts';

/** Services by the package whose commands call them. */
const SERVICES: Record<string, string> = {
  '@aws-sdk/client-cloudformation': 'cloudformation',
  '@aws-sdk/client-ecs': 'ecs',
  '@aws-sdk/client-ec2': 'ec2',
  '@aws-sdk/client-ecr': 'ecr',
  '@aws-sdk/client-cloudwatch-logs': 'logs',
  '@aws-sdk/client-sts': 'sts',
  '@aws-sdk/client-service-quotas': 'servicequotas',
};
/** CloudFormation's calls with the person's rights, by type of resource: to create, change, tag, read and delete it. */
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
    'iam: CreateRole GetRole DeleteRole PutRolePolicy GetRolePolicy DeleteRolePolicy ListRolePolicies ListAttachedRolePolicies UpdateAssumeRolePolicy TagRole UntagRole',
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
