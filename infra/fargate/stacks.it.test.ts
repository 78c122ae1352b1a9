/** Stacks as AWS tells of them, in the states and failures that moto does not play; and what is checked before anything is made. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { ECSClient } from '@aws-sdk/client-ecs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AWAY, clientsAt, EXAMPLE, HOME, TEST_PACE, TEST_TAG, testImage } from '../../tests/aws/example.ts';
import { type FakeAws, startFakeAws } from '../../tests/aws/server.ts';
import { checkAccount } from './account.ts';
import { allRegions, clean } from './clean.ts';
import { type Clients, connectAws } from './clients.ts';
import { stackTags } from './naming.ts';
import { applyStack, checkUsable, deleteStack, findStack } from './stacks.ts';
import { stackTemplate, type Template } from './template.ts';
import { requireStanding, up } from './up.ts';

const TEMPLATE: Template = { Resources: {} };
const WANTED = { id: 'example', template: TEMPLATE, parameters: { ImageTag: TEST_TAG } };

let said: string[];
beforeEach(() => {
  said = [];
});
const options = { pace: TEST_PACE, say: (text: string) => void said.push(text) };

/** CloudFormation that tells of one stack: its states, one each time that it is asked, and the events of all that is done to it. */
function told(statuses: string[], events: [resource: string, status: string, reason?: string][] = []) {
  const calls: string[] = [];
  let acted = false;
  const answers: Record<string, () => unknown> = {
    DescribeStacksCommand() {
      const StackStatus = statuses.length > 1 ? statuses.shift() : statuses[0];
      if (StackStatus === 'none')
        throw Object.assign(new Error('Stack with id x does not exist'), { name: 'ValidationError' });
      const StackId = 'arn:aws:cloudformation:us-east-1:1:stack/scriptorium-example/1';
      return { Stacks: [{ StackName: 'scriptorium-example', StackId, StackStatus, Tags: stackTags('example') }] };
    },
    DescribeStackEventsCommand: () => ({
      StackEvents: (acted ? events : [])
        .map(([LogicalResourceId, ResourceStatus, ResourceStatusReason], index) => {
          return {
            EventId: `${index}`,
            LogicalResourceId,
            ResourceType: 'AWS::X',
            ResourceStatus,
            ResourceStatusReason,
          };
        })
        .reverse(),
    }),
    GetTemplateCommand: () => ({ TemplateBody: JSON.stringify(TEMPLATE) }),
  };
  const send = async (command: object) => {
    const { name } = command.constructor;
    const answer = answers[name];
    if (answer !== undefined) return answer();
    calls.push(name);
    acted = true;
    return { StackId: 'arn:aws:cloudformation:us-east-1:1:stack/scriptorium-example/1' };
  };
  const cloudFormation: CloudFormationClient = Object.assign(Object.create(CloudFormationClient.prototype), { send });
  return { clients: { region: HOME, cloudFormation } as Clients, calls };
}

describe('a stack', () => {
  test('that cannot be made names the resource that failed first, in AWS’s words', async () => {
    const { clients, calls } = told(
      ['none', 'DELETE_IN_PROGRESS', 'DELETE_COMPLETE'],
      [
        ['Log', 'CREATE_FAILED', 'Resource creation cancelled'],
        ['ExecutionRole', 'CREATE_FAILED', 'User: x is not authorized to perform: iam:CreateRole on resource: y'],
        ['Cluster', 'DELETE_COMPLETE'],
      ],
    );
    await expect(applyStack(clients, WANTED, options)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(
        /ExecutionRole \(AWS::X\) of the stack scriptorium-example in us-east-1: your AWS user lacks iam:CreateRole.*Nothing of it is left/,
      ),
    });
    expect(calls).toEqual(['CreateStackCommand']);
    expect(said).toContain('us-east-1: Cluster DELETE_COMPLETE');
  });

  test('is made again if a role of the account was too new', async () => {
    const failed: [string, string, string] = ['Cluster', 'CREATE_FAILED', 'Unable to assume the service linked role'];
    const { clients, calls } = told(['none', 'DELETE_COMPLETE', 'CREATE_COMPLETE'], [failed]);
    expect(await applyStack(clients, WANTED, options)).toBe('created');
    expect(calls).toEqual(['CreateStackCommand', 'CreateStackCommand']);
  });

  test('that cannot be changed is as before, and says why', async () => {
    const statuses = ['CREATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'];
    const { clients } = told(statuses, [['Server', 'UPDATE_FAILED', 'No Fargate configuration exists']]);
    await expect(applyStack(clients, WANTED, options)).rejects.toThrow(
      /Server \(AWS::X\) of the stack scriptorium-example in us-east-1: No Fargate configuration exists. What was there before is there again/,
    );
  });

  test.each([
    [
      'UPDATE_ROLLBACK_FAILED',
      /UPDATE_ROLLBACK_FAILED.*aws cloudformation continue-update-rollback --stack-name scriptorium-example/,
    ],
    ['DELETE_FAILED', /DELETE_FAILED.*fargate clean example/],
    ['ROLLBACK_COMPLETE', /ROLLBACK_COMPLETE.*fargate clean example/],
    ['UPDATE_IN_PROGRESS', /UPDATE_IN_PROGRESS.*try again in some minutes/],
  ])('in the state %s needs a person, who is told the command', async (status, sentence) => {
    const { clients } = told([status]);
    const stack = (await findStack(clients, 'example'))!;
    expect(() => checkUsable(stack)).toThrow(sentence);
  });

  test('that AWS does not delete says which resource is in the way', async () => {
    const statuses = ['CREATE_COMPLETE', 'DELETE_IN_PROGRESS', 'DELETE_FAILED'];
    const { clients } = told(statuses, [['Door1', 'DELETE_FAILED', 'resource sg-1 has a dependent object']]);
    const stack = (await findStack(clients, 'example'))!;
    await expect(deleteStack(clients, stack, options)).rejects.toThrow(/Door1 .* resource sg-1 has a dependent object/);
  });

  test('is cleaned up with all that is in it, and what only has a name like its things is left alone', async () => {
    const { clients, calls } = told(['CREATE_COMPLETE', 'DELETE_IN_PROGRESS', 'DELETE_COMPLETE']);
    const send = async (command: object) => {
      calls.push(command.constructor.name);
      return {};
    };
    const ecs: ECSClient = Object.assign(Object.create(ECSClient.prototype), { send });
    const aws = () => ({ ...clients, ecs, ecr: { send } }) as unknown as Clients;
    const { removed, left } = await clean({ ...options, aws, regions: [HOME], id: 'example' });
    expect({ removed, left }).toEqual({ removed: ['us-east-1: stack scriptorium-example'], left: [] });
    expect([...new Set(calls)]).toEqual(['ListTasksCommand', 'ListImagesCommand', 'DeleteStackCommand']);
  });

  test('has the coordinator only in its own region, and each kind of user task by its name', async () => {
    const kinds = [...EXAMPLE.kinds, { ...EXAMPLE.kinds[1]!, name: 'optquill-2', regions: [HOME] }];
    const { Resources } = await stackTemplate({ ...EXAMPLE, kinds }, HOME);
    expect(Object.keys(Resources)).toEqual(expect.arrayContaining(['coordinator', 'optquill2']));
    expect(Resources.noquill1 ?? Resources.Task).toBeUndefined();
    const many = Array.from({ length: 200 }, (_, index) => ({ ...EXAMPLE.kinds[1]!, name: `noquill-${index}` }));
    await expect(stackTemplate({ ...EXAMPLE, kinds: many }, AWAY)).rejects.toThrow(
      /needs 200 kinds of tasks.*usersPerTask/,
    );
  });
});

describe('before anything is made', () => {
  let fake: FakeAws;
  beforeEach(async () => {
    fake = await startFakeAws({ regions: [HOME, AWAY] });
  });
  afterEach(() => fake.close());
  const aws = () => clientsAt(fake);
  const needs = [{ region: AWAY, spot: true, vcpus: 64, fallBackVcpus: 0 }];

  test('a quota that is too small is told with how much, and where to ask for more', async () => {
    fake.quotas.spot = 6;
    await expect(checkAccount(aws(), EXAMPLE, needs)).rejects.toThrow(
      /eu-north-1: 64 vCPU are needed at once, "Fargate Spot vCPU resource count" is 6; ask for more: https:\/\/eu-north-1.*L-36FBB829/,
    );
  });

  test('missing credentials are told', async () => {
    const missing = Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' });
    const nobody = connectAws({ endpoint: fake.endpoint, credentials: (() => Promise.reject(missing)) as never });
    await expect(checkAccount(nobody, EXAMPLE, needs)).rejects.toThrow(/no valid credentials. Sign in/);
  });

  test('so is a region that does not exist, and more tasks than can be let in', async () => {
    const nowhere = { ...EXAMPLE, serverRegion: 'mars-1', regions: ['mars-1'] };
    await expect(checkAccount(aws(), nowhere, [])).rejects.toThrow(/in mars-1: .*describe-regions/);
    await expect(checkAccount(aws(), { ...EXAMPLE, userTasksAtOnce: 400 }, [])).rejects.toThrow(/usersPerTask/);
  });

  test('a run says which image, stack or kind of task is missing', async () => {
    const standing = (tag = TEST_TAG) => requireStanding(aws(), EXAMPLE, tag);
    await expect(standing()).rejects.toThrow(/stack scriptorium-example is missing in us-east-1; call .*fargate up/);
    await fake.stand(EXAMPLE, TEST_TAG);
    expect([...(await standing()).keys()]).toEqual([HOME, AWAY]);
    await expect(standing('newer')).rejects.toThrow(/other sources.*in us-east-1; call/);
    fake.in(AWAY).images.clear();
    await expect(standing()).rejects.toThrow(/the image 0123456789abcdef is missing in eu-north-1; call/);
    fake.in(AWAY).stacks.get('scriptorium-example')!.status = 'DELETE_FAILED';
    await expect(standing()).rejects.toThrow(/DELETE_FAILED/);
  });

  test('an image that cannot be built, or a stack that one region cannot use, leaves nothing behind', async () => {
    const networks = await checkAccount(aws(), EXAMPLE, []);
    const build = () => Promise.reject(new Error('no space'));
    const wanted = { ...options, aws: aws(), deployment: EXAMPLE, networks };
    await expect(up({ ...wanted, image: { ...testImage(), build } })).rejects.toThrow('no space');
    await fake.stand(EXAMPLE, TEST_TAG);
    fake.in(AWAY).stacks.get('scriptorium-example')!.status = 'UPDATE_ROLLBACK_FAILED';
    fake.in(HOME).stacks.clear();
    await expect(up({ ...wanted, image: testImage() })).rejects.toThrow(/eu-north-1 .* continue-update-rollback/);
    expect(fake.calls.filter(({ operation }) => /Create|Update/.test(operation))).toEqual([]);
  });

  test('the regions are those of the account', async () => {
    expect(await allRegions(aws(), HOME)).toEqual([AWAY, HOME]);
  });
});
