import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AWAY, EXAMPLE, fakeClients, HOME, TEST_PACE, upExample, userRequest } from '../../../tests/aws/example.ts';
import { type FakeAws, startFakeAws } from '../../../tests/aws/server.ts';
import { connectAws } from '../clients.ts';
import { findSecurityGroups, Ingress } from '../network/security-groups.ts';
import { startTasks } from '../tasks/starting.ts';
import { checkAccount } from './check-account.ts';
import { clean } from './clean.ts';
import { allRegions } from './find-resources.ts';
import { readStatus } from './status.ts';
import { verifyProvisioned } from './verify-provisioned.ts';

const REGIONS = [HOME, AWAY, 'us-west-1'];
let fake: FakeAws;
beforeEach(async () => {
  fake = await startFakeAws({ regions: REGIONS, phaseMs: 5 });
});
afterEach(() => fake.close());

const cleanAll = (id: string | null) =>
  clean({ aws: fakeClients(fake), regions: REGIONS, id, pace: TEST_PACE, say: () => {} });
const changing = () =>
  fake.calls.filter(({ operation }) => /^(Create|Put|Register|Deregister|Delete|Run|Authorize)/.test(operation));

describe('up', () => {
  test('creates what is needed in each region, tagged with the experiment, and nothing else', async () => {
    const changes = await upExample(fake);
    expect(changes.every(({ done }) => done === 'created')).toBe(true);
    const status = await readStatus(fakeClients(fake), REGIONS);
    expect(status.map(({ id }) => id)).toEqual(['example']);
    expect(status[0]!.resources.map(({ kind, region }) => `${region} ${kind}`).sort()).toEqual(
      [
        'everywhere execution role',
        ...[HOME, AWAY].flatMap((region) =>
          ['cluster', 'log group', 'repository', 'security group', 'task definition'].map(
            (kind) => `${region} ${kind}`,
          ),
        ),
        // The coordinator's own, next to the one that lets nobody in.
        `${HOME} security group`,
      ].sort(),
    );
    expect(fake.account.of(AWAY).logGroups.get('/scriptorium/example')!.retentionInDays).toBe(7);
    const policy = [...fake.account.roles.values()][0]!.policies.values().next().value!;
    expect(policy).not.toContain('"Action":"*"');
  });

  test('changes nothing the second time', async () => {
    await upExample(fake);
    fake.calls.length = 0;
    expect(new Set((await upExample(fake)).map(({ done }) => done))).toEqual(new Set(['unchanged']));
    expect(changing()).toEqual([]);
  });

  test('goes on where a failed one stopped', async () => {
    fake.refusals.push({ operation: 'CreateLogGroup', times: 1, code: 'AccessDeniedException', message: 'no' });
    await expect(upExample(fake)).rejects.toThrow(/log group .* in us-east-1: your AWS user lacks a permission/);
    const changes = await upExample(fake);
    expect(changes.find(({ what }) => what.startsWith('cluster'))!.done).toBe('unchanged');
    expect(changes.find(({ what }) => what.startsWith('log group'))!.done).toBe('created');
  });

  test('replaces a task definition that has changed', async () => {
    await upExample(fake);
    const [coordinator, users] = EXAMPLE.kinds;
    const larger = { ...EXAMPLE, kinds: [coordinator!, { ...users!, size: { cpuUnits: 1024, memoryMiB: 2048 } }] };
    const updated = (await upExample(fake, larger)).filter(({ done }) => done !== 'unchanged');
    expect(updated).toEqual([{ region: AWAY, what: 'task definition scriptorium-example-users', done: 'updated' }]);
  });
});

describe('what is checked before anything is created', () => {
  const needs = [{ region: AWAY, kind: 'spot' as const, vcpus: 64, fallBackVcpus: 0 }];

  test('a quota that is too small', async () => {
    fake.account.quotas.spot = 6;
    await expect(checkAccount(fakeClients(fake), EXAMPLE, needs)).rejects.toThrow(
      /eu-north-1: 64 vCPU are needed at once, "Fargate Spot vCPU resource count" is 6/,
    );
    expect(changing()).toEqual([]);
  });

  test('missing credentials', async () => {
    const nobody = connectAws({
      endpoint: fake.endpoint,
      credentials: (() =>
        Promise.reject(
          Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' }),
        )) as never,
    });
    await expect(checkAccount(nobody, EXAMPLE, needs)).rejects.toThrow(/no valid credentials. Sign in/);
  });

  test('a size that Fargate does not have', async () => {
    const [coordinator] = EXAMPLE.kinds;
    const kinds = [{ ...coordinator!, size: { cpuUnits: 1000, memoryMiB: 2048 } }];
    await expect(checkAccount(fakeClients(fake), { ...EXAMPLE, kinds }, [])).rejects.toThrow(
      /next that it has is 1 vCPU/,
    );
    expect(fake.calls).toEqual([]);
  });

  test('more user tasks than can be let in', async () => {
    const many = { ...EXAMPLE, userTasksAtOnce: 400 };
    await expect(checkAccount(fakeClients(fake), many, [])).rejects.toThrow(/usersPerTask/);
    expect(fake.calls).toEqual([]);
  });
});

describe('before a run', () => {
  test('what "up" made is there, and enough of it', async () => {
    const aws = fakeClients(fake);
    await expect(verifyProvisioned(aws, EXAMPLE)).rejects.toThrow(
      /task definition .* is missing in us-east-1; call .* up/,
    );
    await upExample(fake);
    await verifyProvisioned(aws, EXAMPLE);
    const many = { ...EXAMPLE, userTasksAtOnce: 60 };
    await expect(verifyProvisioned(aws, many)).rejects.toThrow(/security groups of "example" are missing in us-east-1/);
    const away = [...fake.account.of(AWAY).securityGroups.keys()];
    for (const group of away) fake.account.of(AWAY).securityGroups.delete(group);
    await expect(verifyProvisioned(aws, EXAMPLE)).rejects.toThrow(
      /security groups of "example" are missing in eu-north-1/,
    );
  });
});

describe('the door of the coordinator', () => {
  const rules = async () =>
    (await findSecurityGroups(fakeClients(fake)(HOME), EXAMPLE.id)).map(({ IpPermissions = [] }) =>
      IpPermissions.flatMap(({ IpRanges = [] }) => IpRanges.map(({ CidrIp }) => CidrIp)),
    );

  test('lets in who is named and nobody else', async () => {
    await upExample(fake);
    const ingress = new Ingress(fakeClients(fake)(HOME), EXAMPLE);
    await ingress.admit(new Set(['203.0.113.7', '198.51.100.1']));
    expect(await rules()).toEqual([[], ['203.0.113.7/32', '198.51.100.1/32']]);
    await ingress.admit(new Set(['203.0.113.7', '198.51.100.2']));
    expect(await rules()).toEqual([[], ['203.0.113.7/32', '198.51.100.2/32']]);
    await ingress.admit(new Set());
    expect(await rules()).toEqual([[], []]);
  });

  test('has room for every user task, in as many groups as that takes', async () => {
    const many = { ...EXAMPLE, userTasksAtOnce: 150 };
    await upExample(fake, many);
    const addresses = Array.from({ length: 151 }, (_, index) => `198.51.100.${index + 1}`);
    await new Ingress(fakeClients(fake)(HOME), many).admit(new Set(addresses));
    expect((await rules()).map((group) => group.length)).toEqual([0, 60, 60, 31]);
  });
});

describe('clean', () => {
  test('removes everything of one experiment after a crash of everything, tasks first, and looks again', async () => {
    await upExample(fake);
    await upExample(fake, { ...EXAMPLE, id: 'other' });
    const request = await userRequest(fake, 3);
    await startTasks(fakeClients(fake)(AWAY), request, { pace: TEST_PACE, say: () => {} });

    const { removed, left } = await cleanAll('example');
    expect(left).toEqual([]);
    expect(removed).toHaveLength(12);
    expect(fake.ecs.tasks.every(({ status }) => status === 'STOPPED')).toBe(true);
    const status = await readStatus(fakeClients(fake), REGIONS);
    expect(status.map(({ id }) => id)).toEqual(['other']);

    expect(await cleanAll('example')).toEqual({ removed: [], left: [] });
    expect((await cleanAll(null)).left).toEqual([]);
    expect(await readStatus(fakeClients(fake), REGIONS)).toEqual([]);
    expect(fake.account.roles.size).toBe(0);
  });

  test('says what is left and why', async () => {
    await upExample(fake);
    fake.refusals.push({
      operation: 'DeleteRepository',
      region: AWAY,
      times: 100,
      code: 'AccessDeniedException',
      message: 'no',
    });
    const { left } = await cleanAll('example');
    expect(left).toHaveLength(1);
    expect(left[0]).toMatchObject({ what: 'repository scriptorium-example', region: AWAY });
    expect(left[0]!.why).toMatch(/lacks a permission/);
  });

  test('tries again what was held for a moment', async () => {
    await upExample(fake);
    fake.refusals.push({
      operation: 'DeleteSecurityGroup',
      times: 2,
      code: 'DependencyViolation',
      message: 'has a dependent object',
    });
    expect((await cleanAll('example')).left).toEqual([]);
  });

  test('leaves alone what is not tagged as ours', async () => {
    fake.account.of(HOME).repositories.set('scriptorium-of-somebody-else', { tags: [], images: new Set() });
    expect(await cleanAll(null)).toEqual({ removed: [], left: [] });
    expect(fake.account.of(HOME).repositories.size).toBe(1);
  });

  test('finds the regions by itself', async () => {
    expect(await allRegions(fakeClients(fake), HOME)).toEqual([...REGIONS].sort());
  });
});
