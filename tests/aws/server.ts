/** A stand-in for AWS in this process: an HTTP server that speaks the protocols of the services that the project calls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { stackName, stackTags } from '../../infra/fargate/naming.ts';
import type { Deployment } from '../../infra/fargate/plan/deployment.ts';
import { stackTemplate } from '../../infra/fargate/template.ts';
import { listenOn } from '../../infra/network/listen-on.ts';
import { ANSWERS, type FakeRegion, type FakeState } from './answers.ts';
import { AwsRefusal, type Call, type Input, readCall, writeReply } from './protocols.ts';
import type { TaskEnd } from './tasks.ts';
import { type ContainerEngine, checkRequest, createTask, describeTask, type FakeTask, type Fate } from './tasks.ts';

/** The first `times` calls of an operation are refused. */
export interface Refusal {
  operation: string;
  region?: string;
  times: number;
  code: string;
  message: string;
}

export interface FakeAwsOptions {
  regions: string[];
  /** How long a task stays PROVISIONING, and PENDING. */
  phaseMs?: number;
  /** The fate of each task; absent: it runs. */
  fateOf?(task: Pick<FakeTask, 'region' | 'family' | 'spot' | 'subnets'>): Fate;
  /** The public address of the n-th task. */
  addressOf?(number: number): string | null;
  engine?(metadataEndpoint: string): ContainerEngine;
}

export async function startFakeAws(options: FakeAwsOptions): Promise<FakeAws> {
  const aws = new FakeAws(options);
  await aws.listen();
  return aws;
}

const ENDED = { stopCode: 'EssentialContainerExited', reason: 'Essential container in task exited' };

export class FakeAws implements FakeState {
  endpoint = '';
  readonly regions: ReadonlyMap<string, FakeRegion>;
  readonly quotas = { onDemand: 4000, spot: 4000 };
  readonly tasks: FakeTask[] = [];
  /** Every call so far, refused ones included. */
  readonly calls: Call[] = [];
  readonly refusals: Refusal[] = [];
  readonly #options: FakeAwsOptions;
  /** Answers of RunTask, by the call's token. */
  readonly #started = new Map<string, { tasks: object[]; failures: Input[] }>();
  #engine: ContainerEngine | undefined;
  readonly #http = createServer((request, response) => {
    if (request.url?.startsWith('/metadata/')) this.#answerMetadata(request.url, response);
    else void this.#answer(request, response);
  });

  constructor(options: FakeAwsOptions) {
    this.#options = options;
    this.regions = new Map(
      options.regions.map((name) => [
        name,
        { name, stacks: new Map(), securityGroups: new Map(), images: new Set<string>() },
      ]),
    );
  }

  async listen(): Promise<void> {
    this.endpoint = `http://127.0.0.1:${await listenOn(this.#http)}`;
    this.#engine = this.#options.engine?.(`${this.endpoint}/metadata`);
  }

  /** @throws AwsRefusal if there is none of that name */
  in(name: string): FakeRegion {
    const found = this.regions.get(name);
    if (found === undefined) throw new AwsRefusal('OptInRequired', `no region ${name} here`, 403);
    return found;
  }

  tasksIn({ name }: FakeRegion): FakeTask[] {
    return this.tasks.filter(({ region }) => region === name);
  }

  get alive(): FakeTask[] {
    return this.tasks.filter(({ status }) => status !== 'STOPPED');
  }

  /** Has the stacks of a deployment stand, as `up` makes them, with the image of this tag. */
  async stand(deployment: Deployment, imageTag: string): Promise<void> {
    const { id, serverRegion } = deployment;
    for (const name of deployment.regions) {
      const region = this.in(name);
      const groups = ['sg-users', 'sg-door-1', 'sg-door-2', 'sg-door-3', 'sg-door-4', 'sg-door-5'];
      for (const group of groups) region.securityGroups.set(group, new Set());
      region.images.add(imageTag);
      const isHome = name === serverRegion;
      region.stacks.set(stackName(id), {
        ...{ name: stackName(id), status: 'CREATE_COMPLETE', template: await stackTemplate(deployment, name) },
        parameters: { Experiment: id, ImageTag: imageTag, Vpc: `vpc-${name}`, Home: isHome ? 'yes' : 'no' },
        outputs: { UserGroup: groups[0]!, ...(isHome && { Doors: groups.slice(1).join(',') }) },
        tags: stackTags(id),
      });
    }
  }

  async close(): Promise<void> {
    const end = { stopCode: 'UserInitiated', reason: 'the test is over' };
    await Promise.all(this.alive.map((task) => this.end(task, end)));
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }

  /** Ends a task as Fargate does when it wants its spot capacity back, or when its memory is used up. */
  async end(task: FakeTask, how: TaskEnd): Promise<void> {
    if (task.desired === 'STOPPED') return;
    task.desired = 'STOPPED';
    task.stopCode = how.stopCode;
    task.stoppedReason = how.reason;
    const ran = task.status === 'RUNNING';
    task.status = 'DEPROVISIONING';
    await this.#engine?.stop(task, how.unannounced ?? false);
    for (const container of task.containers) {
      if (ran) container.exitCode ??= how.exitCode ?? 0;
      container.reason ??= how.containerReason;
    }
    task.status = 'STOPPED';
  }

  /** As ECS answers RunTask. */
  runTasks(input: Input, region: FakeRegion) {
    // A call that is repeated starts nothing twice.
    const before = this.#started.get(input.clientToken);
    if (before !== undefined) return before;
    const { fateOf = (): Fate => ({ kind: 'runs' }), addressOf } = this.#options;
    const family: string = input.taskDefinition;
    const definition = definitionIn(region, input.cluster, family);
    checkRequest(input, definition, region.securityGroups);
    const spot = input.capacityProviderStrategy[0].capacityProvider === 'FARGATE_SPOT';
    const { subnets } = input.networkConfiguration.awsvpcConfiguration;
    const started: FakeTask[] = [];
    const failures: Input[] = [];
    for (let index = 0; index < input.count; index++) {
      const fate = fateOf({ region: region.name, family, spot, subnets });
      if (fate.kind === 'refused') {
        failures.push({ reason: fate.reason });
        continue;
      }
      const number = this.tasks.length + 1;
      // A block of addresses that is reserved for documentation.
      const address = addressOf === undefined ? `198.51.100.${number}` : addressOf(number);
      const task = createTask({ number, region: region.name, family, definition, spot, address, input });
      this.tasks.push(task);
      started.push(task);
      this.#live(task, fate);
    }
    const answer = { tasks: started.map(describeTask), failures };
    if (input.clientToken !== undefined) this.#started.set(input.clientToken, answer);
    return answer;
  }

  /** From PROVISIONING to RUNNING, as far as its fate lets it. */
  #live(task: FakeTask, fate: Fate): void {
    const later = (act: () => void) =>
      setTimeout(() => task.desired === 'RUNNING' && act(), this.#options.phaseMs ?? 10).unref();
    later(() => {
      task.status = 'PENDING';
      if (fate.kind === 'hangs') return;
      later(() => {
        if (fate.kind === 'fails') void this.end(task, { ...fate, containerReason: fate.reason });
        else this.#run(task);
      });
    });
  }

  #run(task: FakeTask): void {
    task.status = 'RUNNING';
    task.startedAt = Date.now() / 1000;
    this.#engine?.start(task, () => void this.end(task, ENDED));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let call: Pick<Call, 'style' | 'operation'> = { style: 'json', operation: '' };
    let reply: unknown;
    try {
      const read = await readCall(request);
      call = read;
      this.calls.push(read);
      reply = this.#replyTo(read);
    } catch (error) {
      reply = error instanceof AwsRefusal ? error : new AwsRefusal('InternalFailure', String(error), 500);
    }
    const { type, body } = writeReply(call, reply);
    response.writeHead(reply instanceof AwsRefusal ? reply.status : 200, { 'content-type': type }).end(body);
  }

  /** @throws AwsRefusal as the service words it */
  #replyTo({ service, operation, input, region: name }: Call): unknown {
    const refusal = this.refusals.find(
      (each) => each.operation === operation && each.times > 0 && (each.region ?? name) === name,
    );
    if (refusal !== undefined) {
      refusal.times--;
      throw new AwsRefusal(refusal.code, refusal.message);
    }
    const answer = ANSWERS[`${service}:${operation}`];
    if (answer === undefined) throw new AwsRefusal('UnknownOperation', `${service}:${operation} is not played here`);
    const region = this.in(name);
    if (service === 'ecs' && !region.stacks.has(input.cluster)) {
      throw new AwsRefusal('ClusterNotFoundException', 'Cluster not found.');
    }
    return answer(input, region, this);
  }

  /** The task metadata endpoint: `/metadata/<the task's interface>/task`. */
  #answerMetadata(url: string, response: ServerResponse): void {
    const task = this.tasks.find(({ interfaceId }) => interfaceId === url.split('/')[2])!;
    const { arn, region, definition } = task;
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...{ TaskARN: arn, AvailabilityZone: `${region}a`, LaunchType: 'FARGATE' },
        Limits: { CPU: Number(definition.Cpu) / 1024, Memory: Number(definition.Memory) },
        ClockDrift: { ClockErrorBound: 0.5, ClockSynchronizationStatus: 'SYNCHRONIZED' },
      }),
    );
  }
}

/** The properties of a task definition in a stack, whose family CloudFormation would have filled in. */
function definitionIn({ stacks }: FakeRegion, cluster: string, family: string): Input {
  const { template, parameters } = stacks.get(cluster)!;
  const fill = (text: string) => text.replace(/\$\{(\w+)\}/, (_, name: string) => parameters[name]!);
  const all: Input[] = Object.values(template.Resources).map(({ Properties }) => Properties);
  const found = all.find(({ Family }) => Family !== undefined && fill(Family['Fn::Sub']) === family);
  if (found === undefined) throw new AwsRefusal('ClientException', 'TaskDefinition not found.');
  return found;
}
