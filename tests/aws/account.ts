/** The services around ECS, as far as this project calls them: identity, roles, networks, images, logs, quotas. */
import { AwsRefusal, type Call, type Input } from './protocols.ts';

export const FAKE_ACCOUNT = '123456789012';
const SUBNETS = ['subnet-a', 'subnet-b', 'subnet-c'];

export interface FakeSecurityGroup {
  id: string;
  name: string;
  vpcId: string;
  tags: { Key: string; Value: string }[];
  /** By IPv4 range. */
  ingress: Map<string, { from: number; to: number }>;
}

/** What one region holds besides ECS. */
export interface FakeRegion {
  securityGroups: Map<string, FakeSecurityGroup>;
  repositories: Map<string, { tags: Input[]; images: Set<string> }>;
  logGroups: Map<string, { tags: Record<string, string>; retentionInDays?: number }>;
  /** Public addresses by network interface, of tasks that have not stopped. */
  /** No address: AWS does not know it yet. */
  interfaces: Map<string, { address: string | null; securityGroups: string[] }>;
}

export interface FakeAccount {
  regions: string[];
  quotas: { onDemand: number; spot: number };
  roles: Map<string, { path: string; tags: Input[]; policies: Map<string, string> }>;
  of(region: string): FakeRegion;
}

export function createAccount(regions: string[]): FakeAccount {
  const known = new Map<string, FakeRegion>();
  return {
    regions,
    quotas: { onDemand: 4000, spot: 4000 },
    roles: new Map(),
    of(region) {
      if (!regions.includes(region)) throw new AwsRefusal('OptInRequired', `no region ${region} here`, 403);
      const found = known.get(region) ?? {
        securityGroups: new Map(),
        repositories: new Map(),
        logGroups: new Map(),
        interfaces: new Map(),
      };
      known.set(region, found);
      return found;
    },
  };
}

/** Answers a call to any service but ECS. */
export function answerAccount(account: FakeAccount, call: Call): unknown {
  const answer = ANSWERS[`${call.service}:${call.operation}`];
  if (answer === undefined)
    throw new AwsRefusal('UnknownOperation', `${call.service}:${call.operation} is not played here`);
  return answer(call.input, account.of(call.region), account, call.region);
}

type Answer = (input: Input, region: FakeRegion, account: FakeAccount, name: string) => unknown;

const role = (account: FakeAccount, name: string) => {
  const found = account.roles.get(name);
  if (found === undefined) throw new AwsRefusal('NoSuchEntity', `The role with name ${name} cannot be found.`, 404);
  return found;
};
const roleArn = (account: FakeAccount, name: string) =>
  `arn:aws:iam::${FAKE_ACCOUNT}:role${role(account, name).path}${name}`;
const describeRole = (account: FakeAccount, name: string) => ({
  RoleName: name,
  RoleId: name,
  Path: role(account, name).path,
  Arn: roleArn(account, name),
  CreateDate: '2026-01-01T00:00:00Z',
});

const group = ({ securityGroups }: FakeRegion, id: string) => {
  const found = securityGroups.get(id);
  if (found === undefined) {
    throw new AwsRefusal('InvalidGroup.NotFound', `The security group '${id}' does not exist`);
  }
  return found;
};

const repository = ({ repositories }: FakeRegion, name: string) => {
  const found = repositories.get(name);
  if (found === undefined) {
    throw new AwsRefusal('RepositoryNotFoundException', `The repository with name '${name}' does not exist`);
  }
  return found;
};
const describeRepository = (region: string, name: string) => ({
  repositoryName: name,
  repositoryArn: `arn:aws:ecr:${region}:${FAKE_ACCOUNT}:repository/${name}`,
  repositoryUri: `${FAKE_ACCOUNT}.dkr.ecr.${region}.amazonaws.com/${name}`,
});

const quota: Answer = ({ QuotaCode }, _region, { quotas }) => ({
  Quota: { QuotaCode, Value: QuotaCode === 'L-3032A538' ? quotas.onDemand : quotas.spot },
});

/** Changes one rule of a security group for each range that the call names. */
function eachRange(input: Input, change: (range: string, ports: { from: number; to: number }) => void): void {
  for (const { FromPort, ToPort, IpRanges } of input.IpPermissions) {
    for (const { CidrIp } of IpRanges) change(CidrIp, { from: Number(FromPort), to: Number(ToPort) });
  }
}

const ANSWERS: Record<string, Answer> = {
  'sts:GetCallerIdentity': () => ({
    Account: FAKE_ACCOUNT,
    Arn: `arn:aws:iam::${FAKE_ACCOUNT}:user/tester`,
    UserId: 'tester',
  }),
  'servicequotas:GetServiceQuota': quota,
  'servicequotas:GetAWSDefaultServiceQuota': quota,

  'iam:CreateRole': ({ RoleName, Path, Tags }, _region, account) => {
    if (account.roles.has(RoleName)) throw new AwsRefusal('EntityAlreadyExists', `Role ${RoleName} exists`, 409);
    account.roles.set(RoleName, { path: Path, tags: Tags ?? [], policies: new Map() });
    return { Role: describeRole(account, RoleName) };
  },
  'iam:GetRole': ({ RoleName }, _region, account) => ({ Role: describeRole(account, RoleName) }),
  'iam:ListRoles': ({ PathPrefix }, _region, account) => ({
    IsTruncated: false,
    Roles: [...account.roles.keys()]
      .filter((name) => role(account, name).path.startsWith(PathPrefix))
      .map((name) => describeRole(account, name)),
  }),
  'iam:ListRoleTags': ({ RoleName }, _region, account) => ({ IsTruncated: false, Tags: role(account, RoleName).tags }),
  'iam:PutRolePolicy': ({ RoleName, PolicyName, PolicyDocument }, _region, account) => {
    role(account, RoleName).policies.set(PolicyName, PolicyDocument);
  },
  'iam:GetRolePolicy': ({ RoleName, PolicyName }, _region, account) => {
    const document = role(account, RoleName).policies.get(PolicyName);
    if (document === undefined) throw new AwsRefusal('NoSuchEntity', `no policy ${PolicyName}`, 404);
    return { RoleName, PolicyName, PolicyDocument: encodeURIComponent(document) };
  },
  'iam:ListRolePolicies': ({ RoleName }, _region, account) => ({
    IsTruncated: false,
    PolicyNames: [...role(account, RoleName).policies.keys()],
  }),
  'iam:DeleteRolePolicy': ({ RoleName, PolicyName }, _region, account) => {
    role(account, RoleName).policies.delete(PolicyName);
  },
  'iam:DeleteRole': ({ RoleName }, _region, account) => {
    if (role(account, RoleName).policies.size > 0) {
      throw new AwsRefusal('DeleteConflict', 'Cannot delete entity, must delete policies first.', 409);
    }
    account.roles.delete(RoleName);
  },

  'ec2:DescribeRegions': (_input, _region, { regions }) => ({
    regionInfo: regions.map((regionName) => ({ regionName })),
  }),
  'ec2:DescribeVpcs': (_input, _region, _account, name) => ({ vpcSet: [{ vpcId: `vpc-${name}`, isDefault: true }] }),
  'ec2:DescribeSubnets': () => ({ subnetSet: SUBNETS.map((subnetId) => ({ subnetId })) }),
  'ec2:CreateSecurityGroup': ({ GroupName, VpcId, TagSpecification }, { securityGroups }) => {
    if ([...securityGroups.values()].some(({ name }) => name === GroupName)) {
      throw new AwsRefusal('InvalidGroup.Duplicate', `The security group '${GroupName}' already exists`);
    }
    const id = `sg-${GroupName}`;
    const tags = TagSpecification?.[0]?.Tag ?? [];
    securityGroups.set(id, { id, name: GroupName, vpcId: VpcId, tags, ingress: new Map() });
    return { groupId: id };
  },
  'ec2:DescribeSecurityGroups': ({ Filter = [] }, { securityGroups }) => {
    const fits = ({ tags }: FakeSecurityGroup) =>
      Filter.every(({ Name, Value }: { Name: string; Value: string[] }) =>
        Name === 'tag-key'
          ? tags.some(({ Key }) => Value.includes(Key))
          : tags.some((tag) => `tag:${tag.Key}` === Name && Value.includes(tag.Value)),
      );
    return {
      securityGroupInfo: [...securityGroups.values()].filter(fits).map(({ id, name, vpcId, tags, ingress }) => ({
        groupId: id,
        groupName: name,
        vpcId,
        tagSet: tags.map(({ Key, Value }) => ({ key: Key, value: Value })),
        ipPermissions: [...ingress].map(([cidrIp, { from, to }]) => ({
          ipProtocol: 'tcp',
          fromPort: from,
          toPort: to,
          ipRanges: [{ cidrIp }],
        })),
      })),
    };
  },
  'ec2:AuthorizeSecurityGroupIngress': (input, region) => {
    const { ingress } = group(region, input.GroupId);
    eachRange(input, (range, ports) => {
      if (ingress.has(range))
        throw new AwsRefusal('InvalidPermission.Duplicate', `the rule for ${range} already exists`);
      if (ingress.size >= 60)
        throw new AwsRefusal(
          'RulesPerSecurityGroupLimitExceeded',
          'The maximum number of rules per security group has been reached.',
        );
      ingress.set(range, ports);
    });
    return { return: true };
  },
  'ec2:RevokeSecurityGroupIngress': (input, region) => {
    const { ingress } = group(region, input.GroupId);
    eachRange(input, (range) => {
      if (!ingress.delete(range)) throw new AwsRefusal('InvalidPermission.NotFound', `no rule for ${range}`);
    });
    return { return: true };
  },
  'ec2:DeleteSecurityGroup': ({ GroupId }, region) => {
    group(region, GroupId);
    if ([...region.interfaces.values()].some(({ securityGroups }) => securityGroups.includes(GroupId))) {
      throw new AwsRefusal('DependencyViolation', `resource ${GroupId} has a dependent object`);
    }
    region.securityGroups.delete(GroupId);
    return { return: true };
  },
  'ec2:DescribeNetworkInterfaces': ({ Filter }, { interfaces }) => ({
    networkInterfaceSet: Filter[0].Value.flatMap((id: string) => {
      const found = interfaces.get(id);
      if (found === undefined) return [];
      return { networkInterfaceId: id, ...(found.address !== null && { association: { publicIp: found.address } }) };
    }),
  }),

  'ecr:CreateRepository': ({ repositoryName, tags }, { repositories }, _account, name) => {
    repositories.set(repositoryName, { tags: tags ?? [], images: new Set() });
    return { repository: describeRepository(name, repositoryName) };
  },
  'ecr:DescribeRepositories': ({ repositoryNames }, region, _account, name) => ({
    repositories: (repositoryNames ?? [...region.repositories.keys()]).map((each: string) => {
      repository(region, each);
      return describeRepository(name, each);
    }),
  }),
  'ecr:DescribeImages': ({ repositoryName, imageIds }, region) => {
    const { images } = repository(region, repositoryName);
    return {
      imageDetails: imageIds.map(({ imageTag }: { imageTag: string }) => {
        if (!images.has(imageTag)) throw new AwsRefusal('ImageNotFoundException', `no image ${imageTag}`);
        return { imageTags: [imageTag] };
      }),
    };
  },
  'ecr:ListTagsForResource': ({ resourceArn }, region) => ({
    tags: repository(region, resourceArn.split('repository/')[1]).tags,
  }),
  'ecr:GetAuthorizationToken': (_input, _region, _account, name) => ({
    authorizationData: [
      {
        authorizationToken: Buffer.from('AWS:a-short-lived-password').toString('base64'),
        proxyEndpoint: `https://${FAKE_ACCOUNT}.dkr.ecr.${name}.amazonaws.com`,
      },
    ],
  }),
  'ecr:DeleteRepository': ({ repositoryName }, region) => {
    repository(region, repositoryName);
    region.repositories.delete(repositoryName);
  },

  'logs:CreateLogGroup': ({ logGroupName, tags }, { logGroups }) => {
    logGroups.set(logGroupName, { tags: tags ?? {} });
  },
  'logs:PutRetentionPolicy': ({ logGroupName, retentionInDays }, { logGroups }) => {
    logGroups.get(logGroupName)!.retentionInDays = retentionInDays;
  },
  'logs:DescribeLogGroups': ({ logGroupNamePrefix }, { logGroups }, _account, name) => ({
    logGroups: [...logGroups]
      .filter(([group]) => group.startsWith(logGroupNamePrefix))
      .map(([logGroupName, { retentionInDays }]) => ({
        logGroupName,
        retentionInDays,
        arn: `arn:aws:logs:${name}:${FAKE_ACCOUNT}:log-group:${logGroupName}:*`,
      })),
  }),
  'logs:ListTagsForResource': ({ resourceArn }, { logGroups }) => ({
    tags: logGroups.get(resourceArn.split('log-group:')[1])?.tags ?? {},
  }),
  'logs:DeleteLogGroup': ({ logGroupName }, { logGroups }) => {
    if (!logGroups.delete(logGroupName)) {
      throw new AwsRefusal('ResourceNotFoundException', 'The specified log group does not exist.');
    }
  },
};
