/** The policy that people attach grants every call that the code makes, and none that it does not. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Services by the package whose commands call them. */
const SERVICES: Record<string, string> = {
  '@aws-sdk/client-ecs': 'ecs',
  '@aws-sdk/client-ec2': 'ec2',
  '@aws-sdk/client-ecr': 'ecr',
  '@aws-sdk/client-iam': 'iam',
  '@aws-sdk/client-cloudwatch-logs': 'logs',
  '@aws-sdk/client-sts': 'sts',
  '@aws-sdk/client-service-quotas': 'servicequotas',
};
/** What AWS asks for besides the call itself: for tags given on creation, for roles given to tasks, for docker's push. */
const IMPLIED = [
  'ecs:TagResource',
  'ecr:TagResource',
  'logs:TagResource',
  'iam:TagRole',
  'ec2:CreateTags',
  'iam:PassRole',
  'iam:CreateServiceLinkedRole',
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
    }
  }
  const policy = JSON.parse(await readFile(join(import.meta.dirname, 'iam-policy.json'), 'utf8'));
  const granted: string[] = policy.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action);
  expect([...granted].sort()).toEqual([...called].sort());
});
