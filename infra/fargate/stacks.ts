/** An experiment's stack in a region: AWS CloudFormation creates, changes and deletes it; here its events are told. */
import {
  type Stack as AwsStack,
  CreateStackCommand,
  DeleteStackCommand,
  GetTemplateCommand,
  paginateDescribeStackEvents,
  paginateDescribeStacks,
  type StackEvent,
  UpdateStackCommand,
  type UpdateStackCommandInput,
} from '@aws-sdk/client-cloudformation';
import { parse } from 'yaml';
import { Unavailable } from '../../results/user-error.ts';
import { backOff, type Clients, type Patience, untilSo } from './clients.ts';
import { type AwsError, errorOf, ifMissing, onAws } from './errors.ts';
import { experimentOf, NAME_PREFIX, stackName, stackTags } from './naming.ts';
import type { Template } from './template.ts';

export interface Stack {
  /** The experiment's. */
  id: string;
  region: string;
  name: string;
  /** Tells it from those of the same name that were deleted. */
  arn: string;
  status: string;
  /** The reason of that state, in AWS's words; may be empty. */
  reason: string;
  parameters: Record<string, string>;
  outputs: Record<string, string>;
}

/** A role that is new is not known everywhere at once. */
const ROLE_RETRIES = 2;

/** The experiment's stack; null if there is none. */
export async function findStack(clients: Clients, id: string): Promise<Stack | null> {
  return (await listStacks(clients, stackName(id)))[0] ?? null;
}

/** Every stack of this project in a region, or the one of a name or an ARN. */
export async function listStacks({ cloudFormation: client, region }: Clients, StackName?: string): Promise<Stack[]> {
  const what = StackName === undefined ? 'the list of stacks' : `the stack ${nameIn(StackName)}`;
  return onAws({ what, region }, async () => {
    const pages = await Array.fromAsync(paginateDescribeStacks({ client }, { StackName })).catch(ifMissing([]));
    return pages.flatMap(({ Stacks = [] }) => Stacks).flatMap((stack) => readStack(stack, region) ?? []);
  });
}

/** The template that a stack was made from. */
export async function templateOf({ cloudFormation, region }: Clients, stack: Stack): Promise<Template> {
  const { TemplateBody = '{}' } = await onAws({ what: `the template of ${stack.name}`, region }, () =>
    cloudFormation.send(new GetTemplateCommand({ StackName: stack.arn })),
  );
  // YAML if a person made the stack; JSON is YAML, too.
  return parse(TemplateBody);
}

/**
 * Creates the stack, or changes it to what is wanted; `checkUsable` comes before. Resolves when AWS has done it; a failed creation
 * leaves nothing, a failed change what was before.
 *
 * @throws UserError (3) with the resource that failed, and why
 */
export async function applyStack(
  clients: Clients,
  { id, template, parameters }: Pick<Stack, 'id' | 'parameters'> & { template: Template },
  patience: Patience,
): Promise<'created' | 'changed' | 'unchanged'> {
  const input = {
    StackName: stackName(id),
    TemplateBody: JSON.stringify(template),
    Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue })),
    // For the execution role.
    Capabilities: ['CAPABILITY_IAM' as const],
    Tags: stackTags(id),
  };
  const standing = await findStack(clients, id);
  return onAws({ what: `the stack ${stackName(id)}`, region: clients.region }, () =>
    standing === null ? create(clients, input, patience) : change(clients, standing, input, patience),
  );
}

async function create(clients: Clients, input: UpdateStackCommandInput, patience: Patience): Promise<'created'> {
  for (let tries = 0; ; tries++) {
    const command = new CreateStackCommand({ ...input, OnFailure: 'DELETE' });
    const { StackId } = await clients.cloudFormation.send(command);
    const end = await follow(clients, StackId!, [], patience);
    if (end.status === 'CREATE_COMPLETE') return 'created';
    const { kind, sentence } = failureOf(clients, end);
    if (kind !== 'role' || tries === ROLE_RETRIES) {
      throw new Unavailable(`${sentence}. Nothing of it is left`);
    }
    await backOff(patience, tries);
  }
}

async function change(
  clients: Clients,
  { arn }: Stack,
  input: UpdateStackCommandInput,
  patience: Patience,
): Promise<'changed' | 'unchanged'> {
  const before = await eventsOf(clients, arn);
  try {
    await clients.cloudFormation.send(new UpdateStackCommand(input));
  } catch (error) {
    if (/No updates are to be performed/.test((error as Error).message)) return 'unchanged';
    throw error;
  }
  const end = await follow(clients, arn, before, patience);
  if (end.status.startsWith('UPDATE_COMPLETE')) return 'changed';
  throw new Unavailable(`${failureOf(clients, end).sentence}. What was there before is there again`);
}

/** Deletes a stack with all that is in it. @throws UserError (3) with the resource that AWS did not delete, and why */
export async function deleteStack(clients: Clients, { arn, name }: Stack, patience: Patience): Promise<void> {
  const before = await eventsOf(clients, arn);
  await onAws({ what: `the stack ${name}`, region: clients.region }, () =>
    clients.cloudFormation.send(new DeleteStackCommand({ StackName: arn })),
  );
  const end = await follow(clients, arn, before, patience);
  if (end.status !== 'DELETE_COMPLETE') throw new Unavailable(failureOf(clients, end).sentence);
}

/** @throws UserError (3) with the command to call, if a person must do something before the stack can be used */
export function checkUsable({ id, name, region, status, reason }: Stack): void {
  if (/^(CREATE|UPDATE|UPDATE_ROLLBACK)_COMPLETE$/.test(status)) return;
  const because = reason === '' ? '' : ` (AWS: ${reason})`;
  const advice = status.endsWith('_IN_PROGRESS')
    ? 'AWS is at work on it; try again in some minutes'
    : status === 'UPDATE_ROLLBACK_FAILED'
      ? `let AWS finish: aws cloudformation continue-update-rollback --stack-name ${name} --region ${region}; or remove it: ./scriptorium fargate clean ${id}`
      : `remove it first: ./scriptorium fargate clean ${id}`;
  throw new Unavailable(`the stack ${name} in ${region} is in the state ${status}${because}. To go on, ${advice}`);
}

/** How an operation on a stack ended. */
interface StackEnd {
  name: string;
  status: string;
  events: StackEvent[];
}

/**
 * Tells a stack's events until AWS is done with it.
 *
 * @param before events of earlier operations
 * @throws UserError (3) if that takes too long
 */
async function follow(
  clients: Clients,
  arn: string,
  before: readonly StackEvent[],
  patience: Patience,
): Promise<StackEnd> {
  const { region } = clients;
  const told = new Set(before.map(({ EventId }) => EventId));
  const end: StackEnd = { name: nameIn(arn), status: '', events: [] };
  const check = async () => {
    end.status = (await listStacks(clients, arn))[0]?.status ?? 'DELETE_COMPLETE';
    for (const event of await eventsOf(clients, arn)) {
      if (told.has(event.EventId)) continue;
      told.add(event.EventId);
      end.events.push(event);
      const { LogicalResourceId, ResourceStatus = '', ResourceStatusReason } = event;
      const reason = ResourceStatus.endsWith('_FAILED') ? `: ${ResourceStatusReason}` : '';
      patience.say(`${region}: ${LogicalResourceId} ${ResourceStatus}${reason}`);
    }
    // A change is done, and what it replaced is removed afterwards.
    return !end.status.endsWith('_IN_PROGRESS') || end.status === 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS';
  };
  if (await untilSo(patience, patience.pace.stackLimitMs, check)) return end;
  throw new Unavailable(
    `AWS has not finished with the stack ${end.name} in ${region} (${end.status}). Look at it with: aws cloudformation describe-stack-events --stack-name ${end.name} --region ${region}`,
  );
}

/** The first resource that failed, and the reason; those after it were cancelled because of it. */
function failureOf({ region }: Clients, { name, status, events }: StackEnd): AwsError {
  const failed = events.find(
    ({ ResourceStatus = '', ResourceStatusReason = '' }) =>
      ResourceStatus.endsWith('_FAILED') && !/cancelled/i.test(ResourceStatusReason),
  );
  const what = `the stack ${name}`;
  if (failed === undefined) return errorOf(`it ended as ${status}, and AWS does not say why`, { what, region });
  const { LogicalResourceId, ResourceType, ResourceStatusReason = 'without a reason' } = failed;
  return errorOf(ResourceStatusReason, { what: `${LogicalResourceId} (${ResourceType}) of ${what}`, region });
}

/** The oldest first; none if AWS does not know the stack. */
async function eventsOf({ cloudFormation: client, region }: Clients, StackName: string): Promise<StackEvent[]> {
  return onAws({ what: 'the events of a stack', region }, async () => {
    const pages = await Array.fromAsync(paginateDescribeStackEvents({ client }, { StackName })).catch(ifMissing([]));
    return pages.flatMap(({ StackEvents = [] }) => StackEvents).reverse();
  });
}

/** The name of a stack from its ARN, or from itself. */
const nameIn = (arn: string) => arn.split('/')[1] ?? arn;

function readStack(stack: AwsStack, region: string): Stack | null {
  const { StackName: name = '', StackId: arn = '', StackStatus: status = '', StackStatusReason: reason = '' } = stack;
  const id = experimentOf(stack.Tags);
  if (id === null || !name.startsWith(NAME_PREFIX)) return null;
  const parameters = stack.Parameters?.map(({ ParameterKey, ParameterValue }) => [ParameterKey, ParameterValue]);
  const outputs = stack.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]);
  const records = { parameters: Object.fromEntries(parameters ?? []), outputs: Object.fromEntries(outputs ?? []) };
  return { id, region, name, arn, status, reason, ...records };
}
