/** A stand-in for AWS in this process: an HTTP server that speaks the protocols of the services that the project calls. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { stackName, stackTags } from '../../infra/fargate/naming.ts';
import type { Deployment } from '../../infra/fargate/plan/deployment.ts';
import { stackTemplate } from '../../infra/fargate/template.ts';
import { answerAccount, createAccount, type FakeAccount } from './account.ts';
import { type ContainerEngine, type EcsOptions, FakeEcs } from './ecs.ts';
import { AwsRefusal, type Call, readCall, writeReply } from './protocols.ts';

/** The first `times` calls of an operation are refused. */
export interface Refusal {
  operation: string;
  region?: string;
  times: number;
  code: string;
  message: string;
}

interface FakeAwsOptions {
  regions: string[];
  phaseMs?: number;
  /** The fate of each task; absent: it runs. */
  fateOf?: EcsOptions['fateOf'];
  /** The public address of the n-th task. */
  addressOf?: EcsOptions['addressOf'];
  engine?: (metadataEndpoint: string) => ContainerEngine;
}

export async function startFakeAws(options: FakeAwsOptions): Promise<FakeAws> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return new FakeAws(http, options);
}

export class FakeAws {
  readonly endpoint: string;
  readonly account: FakeAccount;
  readonly ecs: FakeEcs;
  /** Every call so far, refused ones included. */
  readonly calls: Call[] = [];
  readonly refusals: Refusal[] = [];
  readonly #http: Server;

  /** @param http listens already */
  constructor(http: Server, options: FakeAwsOptions) {
    this.endpoint = `http://127.0.0.1:${(http.address() as { port: number }).port}`;
    this.account = createAccount(options.regions);
    this.ecs = new FakeEcs({
      account: this.account,
      phaseMs: options.phaseMs ?? 10,
      fateOf: options.fateOf ?? (() => ({ kind: 'runs' })),
      // A block of addresses that is reserved for documentation.
      addressOf: options.addressOf ?? ((number) => `198.51.100.${number}`),
      engine: options.engine?.(`${this.endpoint}/metadata`),
    });
    this.#http = http;
    http.on('request', (request, response) => {
      if (request.url?.startsWith('/metadata/')) this.#answerMetadata(request.url, response);
      else void this.#answer(request, response);
    });
  }

  /** Has the stacks of a deployment stand, as `up` makes them, with the image of this tag. */
  async stand(deployment: Deployment, options: { imageTag: string; caller: string }): Promise<void> {
    const { id, regions, serverRegion } = deployment;
    const { imageTag, caller } = options;
    for (const name of regions) {
      const region = this.account.of(name);
      const groups = ['sg-users', 'sg-door-1', 'sg-door-2', 'sg-door-3', 'sg-door-4', 'sg-door-5'];
      for (const group of groups) region.securityGroups.set(group, new Map());
      region.images.add(imageTag);
      region.stacks.set(stackName(id), {
        name: stackName(id),
        status: 'CREATE_COMPLETE',
        template: await stackTemplate(deployment, name),
        parameters: {
          ...{ Experiment: id, ImageTag: imageTag, Vpc: `vpc-${name}`, Caller: `${caller}/32` },
          Home: name === serverRegion ? 'yes' : 'no',
        },
        outputs: { UserGroup: groups[0]!, Doors: groups.slice(1).join(',') },
        tags: stackTags(id),
      });
    }
  }

  async close(): Promise<void> {
    const alive = this.ecs.tasks.filter(({ status }) => status !== 'STOPPED');
    const end = { stopCode: 'UserInitiated', reason: 'the test is over' };
    await Promise.all(alive.map((task) => this.ecs.end(task, end)));
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let call: Pick<Call, 'style' | 'operation'> = { style: 'json', operation: '' };
    let reply: unknown;
    try {
      const read = await readCall(request);
      call = read;
      this.calls.push(read);
      this.#refuseIfTold(read);
      reply = read.service === 'ecs' ? this.ecs.answer(read) : answerAccount(this.account, read);
    } catch (error) {
      reply = error instanceof AwsRefusal ? error : new AwsRefusal('InternalFailure', String(error), 500);
    }
    const { type, body } = writeReply(call, reply);
    response.writeHead(reply instanceof AwsRefusal ? reply.status : 200, { 'content-type': type }).end(body);
  }

  #refuseIfTold({ operation, region }: Call): void {
    const refusal = this.refusals.find(
      (each) => each.operation === operation && each.times > 0 && (each.region ?? region) === region,
    );
    if (refusal === undefined) return;
    refusal.times--;
    throw new AwsRefusal(refusal.code, refusal.message);
  }

  /** The task metadata endpoint: `/metadata/<the task's interface>/task`. */
  #answerMetadata(url: string, response: ServerResponse): void {
    const task = this.ecs.tasks.find(({ interfaceId }) => interfaceId === url.split('/')[2]);
    if (task === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        TaskARN: task.arn,
        AvailabilityZone: `${task.region}a`,
        LaunchType: 'FARGATE',
        Limits: { CPU: Number(task.definition.Cpu) / 1024, Memory: Number(task.definition.Memory) },
        ClockDrift: { ClockErrorBound: 0.5, ClockSynchronizationStatus: 'SYNCHRONIZED' },
      }),
    );
  }
}
