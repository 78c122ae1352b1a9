/** An experiment's stack in a region: AWS CloudFormation creates, changes and deletes it; here its events are told. */
import {
  type Stack as AwsStack,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateDescribeStackEvents,
  paginateDescribeStacks,
  type StackEvent,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import { parse } from 'yaml';
import { UserError } from '../../results/user-error.ts';
import type { Clients } from './clients.ts';
import { errorOf, isMissing, onAws } from './errors.ts';
import { experimentOf, NAME_PREFIX, stackName, stackTags } from './naming.ts';
import { backOff, type Pace, untilSo } from './pace.ts';
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

export interface StackOptions {
  pace: Pace;
  signal?: AbortSignal;
  /** Tells a person what is going on. */
  say(message: string): void;
}

/** A stack as it is to be. */
export interface WantedStack {
  id: string;
  template: Template;
  parameters: Record<string, string>;
}

/** A role that is new is not known everywhere at once. */
const ROLE_RETRIES = 2;

/** The experiment's stack; null if there is none. */
export async function findStack(clients: Clients, id: string): Promise<Stack | null> {
  return describe(clients, stackName(id));
}

/** Every stack of this project in a region. */
export async function listStacks({ cloudFormation: client, region }: Clients): Promise<Stack[]> {
  return onAws({ what: 'the list of stacks', region }, async () => {
    const pages = await Array.fromAsync(paginateDescribeStacks({ client }, {}));
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
 * Creates the stack, or changes it to what is wanted. Resolves when AWS has done it; a failed creation leaves nothing, a failed
 * change what was before.
 *
 * @throws UserError (3) with the resource that failed, and why
 */
export async function applyStack(
  clients: Clients,
  wanted: WantedStack,
  options: StackOptions,
): Promise<'created' | 'changed' | 'unchanged'> {
  const standing = await findStack(clients, wanted.id);
  for (let tries = 0; ; tries++) {
    try {
      return await (standing === null ? create(clients, wanted, options) : change(clients, wanted, standing, options));
    } catch (error) {
      const { kind } = errorOf(error, { what: '', region: clients.region });
      if (kind !== 'role' || tries === ROLE_RETRIES) throw error;
      await backOff(options.pace, tries, options.signal);
    }
  }
}

/** Deletes a stack with all that is in it. @returns null, or why AWS did not */
export async function deleteStack(clients: Clients, stack: Stack, options: StackOptions): Promise<string | null> {
  const attempt = { what: `the stack ${stack.name}`, region: clients.region };
  try {
    const before = await eventsOf(clients, stack.arn);
    await clients.cloudFormation.send(new DeleteStackCommand({ StackName: stack.arn }));
    const end = await follow(clients, { arn: stack.arn, before }, options);
    return end.status === 'DELETE_COMPLETE' ? null : failureOf(end);
  } catch (error) {
    return error instanceof UserError ? error.message : errorOf(error, attempt).sentence;
  }
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
  throw new UserError(`the stack ${name} in ${region} is in the state ${status}${because}. To go on, ${advice}`, {
    exitCode: 3,
  });
}

async function create(clients: Clients, wanted: WantedStack, options: StackOptions): Promise<'created'> {
  const { StackId } = await clients.cloudFormation.send(
    new CreateStackCommand({ ...inputOf(wanted), OnFailure: 'DELETE' }),
  );
  const end = await follow(clients, { arn: StackId!, before: [] }, options);
  if (end.status !== 'CREATE_COMPLETE')
    throw new UserError(`${failureOf(end)}. Nothing of it is left`, { exitCode: 3 });
  return 'created';
}

async function change(
  clients: Clients,
  wanted: WantedStack,
  standing: Stack,
  options: StackOptions,
): Promise<'changed' | 'unchanged'> {
  checkUsable(standing);
  const same = Object.entries(wanted.parameters).every(([name, value]) => standing.parameters[name] === value);
  const template = JSON.stringify(await templateOf(clients, standing));
  if (same && template === JSON.stringify(wanted.template)) return 'unchanged';
  const before = await eventsOf(clients, standing.arn);
  try {
    await clients.cloudFormation.send(new UpdateStackCommand(inputOf(wanted)));
  } catch (error) {
    if (/No updates are to be performed/.test((error as Error).message)) return 'unchanged';
    throw error;
  }
  const end = await follow(clients, { arn: standing.arn, before }, options);
  if (end.status === 'UPDATE_COMPLETE') return 'changed';
  throw new UserError(`${failureOf(end)}. What was there before is there again`, { exitCode: 3 });
}

function inputOf({ id, template, parameters }: WantedStack) {
  return {
    StackName: stackName(id),
    TemplateBody: JSON.stringify(template),
    Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue })),
    // For the execution role.
    Capabilities: ['CAPABILITY_IAM' as const],
    Tags: stackTags(id),
  };
}

/** How an operation on a stack ended. */
interface StackEnd {
  name: string;
  region: string;
  status: string;
  events: StackEvent[];
}

/** Tells a stack's events until AWS is done with it. @throws UserError (3) if that takes too long */
async function follow(
  clients: Clients,
  { arn, before }: { arn: string; before: readonly StackEvent[] },
  { pace, signal, say }: StackOptions,
): Promise<StackEnd> {
  const told = new Set(before.map(({ EventId }) => EventId));
  const events: StackEvent[] = [];
  let status = '';
  const tell = async () => {
    for (const event of await eventsOf(clients, arn)) {
      if (told.has(event.EventId)) continue;
      told.add(event.EventId);
      events.push(event);
      const { LogicalResourceId, ResourceStatus, ResourceStatusReason } = event;
      const reason = /_FAILED$/.test(ResourceStatus ?? '') ? `: ${ResourceStatusReason}` : '';
      say(`${clients.region}: ${LogicalResourceId} ${ResourceStatus}${reason}`);
    }
  };
  const check = async () => {
    const stack = await describe(clients, arn);
    status = stack?.status ?? 'DELETE_COMPLETE';
    await tell();
    // A change is done, and what it replaced is removed afterwards.
    return !status.endsWith('_IN_PROGRESS') || status === 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS';
  };
  const name = arn.split('/')[1] ?? arn;
  if (!(await untilSo({ pace, limitMs: pace.stackLimitMs, signal, check }))) {
    throw new UserError(
      `AWS has not finished with the stack ${name} in ${clients.region} (${status}). Look at it with: aws cloudformation describe-stack-events --stack-name ${name} --region ${clients.region}`,
      { exitCode: 3 },
    );
  }
  return { name, region: clients.region, status: status.replace('_CLEANUP_IN_PROGRESS', ''), events };
}

/** The first resource that failed, and the reason; those after it were cancelled because of it. */
function failureOf({ name, region, status, events }: StackEnd): string {
  const failed = events.find(
    ({ ResourceStatus = '', ResourceStatusReason = '' }) =>
      ResourceStatus.endsWith('_FAILED') && !/cancelled/i.test(ResourceStatusReason),
  );
  const what = `the stack ${name} in ${region}`;
  if (failed === undefined) return `${what} ended as ${status}, and AWS does not say why`;
  const { LogicalResourceId, ResourceType, ResourceStatusReason = 'without a reason' } = failed;
  return errorOf(new Error(ResourceStatusReason), { what: `${what}, ${LogicalResourceId} (${ResourceType}),`, region })
    .sentence;
}

/** The oldest first; none if AWS does not know the stack. */
async function eventsOf({ cloudFormation: client, region }: Clients, StackName: string): Promise<StackEvent[]> {
  return onAws({ what: 'the events of a stack', region }, async () => {
    const pages = await Array.fromAsync(paginateDescribeStackEvents({ client }, { StackName })).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    return pages.flatMap(({ StackEvents = [] }) => StackEvents).reverse();
  });
}

async function describe({ cloudFormation, region }: Clients, StackName: string): Promise<Stack | null> {
  const { Stacks = [] } = await onAws({ what: `the stack ${StackName.split('/')[1] ?? StackName}`, region }, () =>
    cloudFormation.send(new DescribeStacksCommand({ StackName })).catch((error) => {
      if (isMissing(error)) return { Stacks: [] };
      throw error;
    }),
  );
  return Stacks.length === 0 ? null : readStack(Stacks[0]!, region);
}

function readStack(stack: AwsStack, region: string): Stack | null {
  const { StackName = '', StackId = '', StackStatus = '', StackStatusReason = '', Tags } = stack;
  const id = experimentOf(Tags);
  if (id === null || !StackName.startsWith(NAME_PREFIX)) return null;
  const record = (pairs: (readonly [string | undefined, string | undefined])[]) =>
    Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
  return {
    id,
    region,
    name: StackName,
    arn: StackId,
    status: StackStatus,
    reason: StackStatusReason,
    parameters: record((stack.Parameters ?? []).map((each) => [each.ParameterKey, each.ParameterValue])),
    outputs: record((stack.Outputs ?? []).map((each) => [each.OutputKey, each.OutputValue])),
  };
}
