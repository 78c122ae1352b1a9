/** The answers of AWS's services, as far as a run calls them: ECS, and identity, quotas, networks, images and stacks around it. */
import { TASKS_PER_DESCRIPTION } from '../../infra/fargate/tasks.ts';
import type { Template } from '../../infra/fargate/template.ts';
import { AwsRefusal, type Input } from './protocols.ts';
import { describeTask, FAKE_ACCOUNT, type FakeTask, type TaskEnd } from './tasks.ts';

const SUBNETS = ['subnet-a', 'subnet-b', 'subnet-c'];
const RULES_PER_GROUP = 60;

export interface FakeStack {
  name: string;
  status: string;
  template: Template;
  parameters: Record<string, string>;
  outputs: Record<string, string>;
  tags: { Key: string; Value: string }[];
}

/** One region, besides its tasks. */
export interface FakeRegion {
  name: string;
  stacks: Map<string, FakeStack>;
  /** The rules of each security group, such as `198.51.100.1/32 7401-7403`. */
  securityGroups: Map<string, Set<string>>;
  images: Set<string>;
}

/** The part of the fake AWS that answers come from. */
export interface FakeState {
  readonly regions: ReadonlyMap<string, FakeRegion>;
  readonly quotas: { onDemand: number; spot: number };
  readonly tasks: readonly FakeTask[];
  tasksIn(region: FakeRegion): FakeTask[];
  runTasks(input: Input, region: FakeRegion): unknown;
  end(task: FakeTask, how: TaskEnd): Promise<void>;
}

const pairs = (record: Record<string, string>, kind: string) =>
  Object.entries(record).map(([key, value]) => ({ [`${kind}Key`]: key, [`${kind}Value`]: value }));

/** By its name, or by its ARN. */
function stackOf({ stacks }: FakeRegion, name: string): FakeStack {
  const found = stacks.get(name.split('/')[1] ?? name);
  if (found === undefined) throw new AwsRefusal('ValidationError', `Stack with id ${name} does not exist`);
  return found;
}

/** Changes one rule of a security group for each range that the call names. */
function changeRules(
  { GroupId, IpPermissions }: Input,
  { securityGroups }: FakeRegion,
  change: (rules: Set<string>, rule: string) => void,
) {
  const rules = securityGroups.get(GroupId);
  if (rules === undefined) throw new AwsRefusal('InvalidGroup.NotFound', `no security group '${GroupId}'`);
  for (const { FromPort, ToPort, IpRanges } of IpPermissions) {
    for (const { CidrIp } of IpRanges) change(rules, `${CidrIp} ${FromPort}-${ToPort}`);
  }
  return { return: true };
}

/** By service and operation. */
export const ANSWERS: Record<string, (input: Input, region: FakeRegion, aws: FakeState) => unknown> = {
  'sts:GetCallerIdentity': () => ({ Account: FAKE_ACCOUNT, UserId: 'tester' }),
  'servicequotas:GetServiceQuota': ({ QuotaCode }, _region, { quotas }) => ({
    Quota: { QuotaCode, Value: QuotaCode === 'L-3032A538' ? quotas.onDemand : quotas.spot },
  }),
  'ecr:DescribeImages': ({ imageIds }, { images }) => {
    const [{ imageTag }] = imageIds;
    if (!images.has(imageTag)) throw new AwsRefusal('ImageNotFoundException', `no image ${imageTag}`);
    return { imageDetails: [{ imageTags: [imageTag] }] };
  },

  'cloudformation:DescribeStacks': ({ StackName }, region) => ({
    Stacks: (StackName === undefined ? [...region.stacks.values()] : [stackOf(region, StackName)]).map((stack) => ({
      StackName: stack.name,
      StackId: `arn:aws:cloudformation:${region.name}:${FAKE_ACCOUNT}:stack/${stack.name}/1`,
      StackStatus: stack.status,
      CreationTime: '2026-01-01T00:00:00Z',
      Parameters: pairs(stack.parameters, 'Parameter'),
      Outputs: pairs(stack.outputs, 'Output'),
      Tags: stack.tags,
    })),
  }),
  'cloudformation:GetTemplate': ({ StackName }, region) => ({
    TemplateBody: JSON.stringify(stackOf(region, StackName).template),
  }),

  'ec2:DescribeRegions': (_input, _region, { regions }) => ({
    regionInfo: [...regions.keys()].map((regionName) => ({ regionName })),
  }),
  'ec2:DescribeSubnets': () => ({ subnetSet: SUBNETS.map((subnetId) => ({ subnetId, vpcId: 'vpc-1' })) }),
  'ec2:DescribeSecurityGroups': ({ GroupId }, { securityGroups }) => ({
    securityGroupInfo: GroupId.map((groupId: string) => ({
      groupId,
      ipPermissions: [...securityGroups.get(groupId)!].map((rule) => {
        const [cidrIp, fromPort, toPort] = rule.split(/[ -]/);
        return { fromPort, toPort, ipRanges: [{ cidrIp }] };
      }),
    })),
  }),
  'ec2:AuthorizeSecurityGroupIngress': (input, region) =>
    changeRules(input, region, (rules, rule) => {
      if (rules.has(rule)) throw new AwsRefusal('InvalidPermission.Duplicate', `the rule ${rule} already exists`);
      if (rules.size >= RULES_PER_GROUP) throw new AwsRefusal('RulesPerSecurityGroupLimitExceeded', 'too many rules');
      rules.add(rule);
    }),
  'ec2:RevokeSecurityGroupIngress': (input, region) =>
    changeRules(input, region, (rules, rule) => {
      if (!rules.delete(rule)) throw new AwsRefusal('InvalidPermission.NotFound', `no rule ${rule}`);
    }),
  'ec2:DescribeNetworkInterfaces': ({ Filter }, _region, { tasks }) => ({
    networkInterfaceSet: Filter[0].Value.flatMap((networkInterfaceId: string) => {
      const task = tasks.find(({ interfaceId, status }) => interfaceId === networkInterfaceId && status !== 'STOPPED');
      if (task === undefined) return [];
      return { networkInterfaceId, ...(task.address !== null && { association: { publicIp: task.address } }) };
    }),
  }),

  'ecs:RunTask': (input, region, aws) => aws.runTasks(input, region),
  'ecs:ListTasks': (input, region, aws) => ({
    taskArns: aws
      .tasksIn(region)
      .filter(({ cluster, unlisted }) => cluster === input.cluster && unlisted !== true)
      .filter(({ desired }) => desired === (input.desiredStatus ?? 'RUNNING'))
      .filter(
        ({ startedBy, family }) => startedBy === (input.startedBy ?? startedBy) && family === (input.family ?? family),
      )
      .map(({ arn }) => arn),
  }),
  'ecs:DescribeTasks': (input, region, aws) => {
    if (input.tasks.length > TASKS_PER_DESCRIPTION)
      throw new AwsRefusal('InvalidParameterException', 'Tasks cannot have more than 100 items');
    const found = aws.tasksIn(region).filter(({ arn }) => input.tasks.includes(arn));
    const missing = input.tasks.filter((arn: string) => !found.some((task) => task.arn === arn));
    return { tasks: found.map(describeTask), failures: missing.map((arn: string) => ({ arn, reason: 'MISSING' })) };
  },
  'ecs:StopTask': (input, region, aws) => {
    const task = aws.tasksIn(region).find(({ arn }) => arn === input.task);
    if (task === undefined) throw new AwsRefusal('InvalidParameterException', 'The referenced task was not found.');
    void aws.end(task, { stopCode: 'UserInitiated', reason: input.reason });
    return { task: describeTask(task) };
  },
};
