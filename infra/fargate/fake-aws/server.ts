/** A stand-in for AWS in this process: an HTTP server that speaks the protocols of the services that the project calls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerAccount, createAccount, type FakeAccount } from './account.ts';
import { createEcs, type FakeEcs } from './ecs.ts';
import { AwsRefusal, type Call, readCall, writeAnswer, writeRefusal } from './protocols.ts';
import type { ContainerEngine, Fate } from './task.ts';

/** The first `times` calls of an operation are refused. */
export interface Refusal {
  operation: string;
  region?: string;
  times: number;
  code: string;
  message: string;
  status?: number;
}

export interface FakeAws {
  endpoint: string;
  account: FakeAccount;
  ecs: FakeEcs;
  /** Every call so far, refused ones included. */
  calls: Call[];
  refusals: Refusal[];
  /** The image that docker would have pushed. */
  push(region: string, repository: string, tag: string): void;
  close(): Promise<void>;
}

/**
 * @param options.fateOf    what becomes of each task; absent: it runs
 * @param options.addressOf the public address of the n-th task
 */
export async function startFakeAws(options: {
  regions: string[];
  phaseMs?: number;
  fateOf?: Parameters<typeof createEcs>[0]['fateOf'];
  addressOf?: (number: number) => string | null;
  engine?: (metadataEndpoint: string) => ContainerEngine;
}): Promise<FakeAws> {
  const account = createAccount(options.regions);
  const calls: Call[] = [];
  const refusals: Refusal[] = [];
  const runs: Fate = { kind: 'runs' };

  const http = createServer((request, response) => {
    if (request.url?.startsWith('/metadata/')) return answerMetadata(request, response);
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let style: Call['style'] = 'json';
    try {
      const call = await readCall(request);
      style = call.style;
      calls.push(call);
      refuseIfTold(call);
      const output = call.service === 'ecs' ? ecs.answer(call) : answerAccount(account, call);
      const { type, body } = writeAnswer(call, output);
      response.writeHead(200, { 'content-type': type }).end(body);
    } catch (error) {
      const refusal = error instanceof AwsRefusal ? error : new AwsRefusal('InternalFailure', String(error), 500);
      const { type, body } = writeRefusal(style, refusal);
      response.writeHead(refusal.status, { 'content-type': type }).end(body);
    }
  }

  function refuseIfTold({ operation, region }: Call): void {
    const refusal = refusals.find(
      (each) => each.operation === operation && each.times > 0 && (each.region ?? region) === region,
    );
    if (refusal === undefined) return;
    refusal.times--;
    throw new AwsRefusal(refusal.code, refusal.message, refusal.status);
  }

  /** The task metadata endpoint: `/metadata/<number of the task>/task`. */
  function answerMetadata(request: IncomingMessage, response: ServerResponse): void {
    const task = ecs.tasks.find(({ interfaceId }) => interfaceId === request.url!.split('/')[2]);
    if (task === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        TaskARN: task.arn,
        AvailabilityZone: `${task.region}a`,
        LaunchType: 'FARGATE',
        Limits: { CPU: Number(task.definition.cpu) / 1024, Memory: Number(task.definition.memory) },
        ClockDrift: { ClockErrorBound: 0.5, ClockSynchronizationStatus: 'SYNCHRONIZED' },
      }),
    );
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(http.address() as { port: number }).port}`;
  const ecs = createEcs({
    account,
    phaseMs: options.phaseMs ?? 10,
    fateOf: options.fateOf ?? (() => runs),
    // A block of addresses that is reserved for documentation.
    addressOf: options.addressOf ?? ((number) => `198.51.100.${number}`),
    engine: options.engine?.(`${endpoint}/metadata`),
  });

  return {
    endpoint,
    account,
    ecs,
    calls,
    refusals,
    push: (region, repository, tag) => account.of(region).repositories.get(repository)!.images.add(tag),
    async close() {
      const alive = ecs.tasks.filter(({ status }) => status !== 'STOPPED');
      await Promise.all(alive.map((task) => ecs.end(task, { stopCode: 'UserInitiated', reason: 'the test is over' })));
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
