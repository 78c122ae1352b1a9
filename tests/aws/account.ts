/** The services around ECS, as far as a run calls them: identity, quotas, networks, images, and stacks that stand already. */
import type { Template } from '../../infra/fargate/template.ts';
import { AwsRefusal, type Call, type Input } from './protocols.ts';

export const FAKE_ACCOUNT = '123456789012';
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
  stacks: Map<string, FakeStack>;
  /** The rules of each security group: IPv4 ranges with their first port. */
  securityGroups: Map<string, Map<string, number>>;
  images: Set<string>;
  /** Network interfaces of tasks that have not stopped. Null: AWS does not know the address yet. */
  interfaces: Map<string, { address: string | null }>;
}

export interface FakeAccount {
  regions: string[];
  quotas: { onDemand: number; spot: number };
  of(region: string): FakeRegion;
}

export function createAccount(regions: string[]): FakeAccount {
  const known = new Map(
    regions.map((region): [string, FakeRegion] => [
      region,
      { stacks: new Map(), securityGroups: new Map(), images: new Set(), interfaces: new Map() },
    ]),
  );
  return {
    regions,
    quotas: { onDemand: 4000, spot: 4000 },
    of(region) {
      const found = known.get(region);
      if (found === undefined) throw new AwsRefusal('OptInRequired', `no region ${region} here`, 403);
      return found;
    },
  };
}

/** Answers a call to any service but ECS. */
export function answerAccount(account: FakeAccount, { service, operation, input, region }: Call): unknown {
  const answer = ANSWERS[`${service}:${operation}`];
  if (answer === undefined) throw new AwsRefusal('UnknownOperation', `${service}:${operation} is not played here`);
  return answer(input, account.of(region), account, region);
}

type Answer = (input: Input, region: FakeRegion, account: FakeAccount, name: string) => unknown;

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
  input: Input,
  { securityGroups }: FakeRegion,
  change: (rules: Map<string, number>, range: string, port: number) => void,
) {
  const rules = securityGroups.get(input.GroupId);
  if (rules === undefined)
    throw new AwsRefusal('InvalidGroup.NotFound', `The security group '${input.GroupId}' does not exist`);
  for (const { FromPort, IpRanges } of input.IpPermissions) {
    for (const { CidrIp } of IpRanges) change(rules, CidrIp, Number(FromPort));
  }
  return { return: true };
}

const ANSWERS: Record<string, Answer> = {
  'sts:GetCallerIdentity': () => ({ Account: FAKE_ACCOUNT, UserId: 'tester' }),
  'servicequotas:GetServiceQuota': ({ QuotaCode }, _region, { quotas }) => ({
    Quota: { QuotaCode, Value: QuotaCode === 'L-3032A538' ? quotas.onDemand : quotas.spot },
  }),
  'ecr:DescribeImages': ({ imageIds }, { images }) => {
    const [{ imageTag }] = imageIds;
    if (!images.has(imageTag)) throw new AwsRefusal('ImageNotFoundException', `no image ${imageTag}`);
    return { imageDetails: [{ imageTags: [imageTag] }] };
  },

  'cloudformation:DescribeStacks': ({ StackName }, region, _account, name) => ({
    Stacks: (StackName === undefined ? [...region.stacks.values()] : [stackOf(region, StackName)]).map((stack) => ({
      StackName: stack.name,
      StackId: `arn:aws:cloudformation:${name}:${FAKE_ACCOUNT}:stack/${stack.name}/1`,
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
    regionInfo: regions.map((regionName) => ({ regionName })),
  }),
  'ec2:DescribeSubnets': () => ({ subnetSet: SUBNETS.map((subnetId) => ({ subnetId, vpcId: 'vpc-1' })) }),
  'ec2:DescribeSecurityGroups': ({ GroupId }, { securityGroups }) => ({
    securityGroupInfo: GroupId.map((groupId: string) => ({
      groupId,
      ipPermissions: [...securityGroups.get(groupId)!].map(([cidrIp, fromPort]) => ({
        fromPort,
        ipRanges: [{ cidrIp }],
      })),
    })),
  }),
  'ec2:AuthorizeSecurityGroupIngress': (input, region) =>
    changeRules(input, region, (rules, range, port) => {
      if (rules.has(range)) throw new AwsRefusal('InvalidPermission.Duplicate', `the rule for ${range} already exists`);
      if (rules.size >= RULES_PER_GROUP) throw new AwsRefusal('RulesPerSecurityGroupLimitExceeded', 'too many rules');
      rules.set(range, port);
    }),
  'ec2:RevokeSecurityGroupIngress': (input, region) =>
    changeRules(input, region, (rules, range) => {
      if (!rules.delete(range)) throw new AwsRefusal('InvalidPermission.NotFound', `no rule for ${range}`);
    }),
  'ec2:DescribeNetworkInterfaces': ({ Filter }, { interfaces }) => ({
    networkInterfaceSet: Filter[0].Value.flatMap((networkInterfaceId: string) => {
      const found = interfaces.get(networkInterfaceId);
      if (found === undefined) return [];
      return { networkInterfaceId, ...(found.address !== null && { association: { publicIp: found.address } }) };
    }),
  }),
};
