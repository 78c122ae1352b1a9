/** `up`: the stacks of an experiment, and its image in each region's repository; and the check of both before a run. */
import { isDeepStrictEqual } from 'node:util';
import { DescribeImagesCommand, GetAuthorizationTokenCommand } from '@aws-sdk/client-ecr';
import { Unavailable } from '../../results/user-error.ts';
import type { Network } from './account.ts';
import type { Aws, Clients, Patience } from './clients.ts';
import { ifMissing, onAws } from './errors.ts';
import { stackName } from './naming.ts';
import type { Deployment } from './plan/deployment.ts';
import { applyStack, checkUsable, findStack, type Stack, templateOf } from './stacks.ts';
import { logicalId, stackTemplate } from './template.ts';

/** The image of an experiment. */
export interface Image {
  /** Follows from all that is in it. */
  tag: string;
  /** Builds it on this machine. */
  build(): Promise<void>;
  /** @param login AWS's own short-lived user and password */
  push(remoteName: string, login: { user: string; password: string }): Promise<void>;
}

/**
 * Builds the image if a region lacks it, brings all stacks to what the experiment needs, and pushes. A second time changes nothing.
 *
 * @param options.networks by region
 * @throws UserError (2, 3) with the words of AWS or docker
 */
export async function up(
  options: Patience & {
    aws: Aws;
    deployment: Deployment;
    networks: ReadonlyMap<string, Network>;
    image: Image;
  },
): Promise<void> {
  const { aws, deployment, networks, image, say } = options;
  const { id, regions, serverRegion } = deployment;
  const templates = await Promise.all(regions.map((region) => stackTemplate(deployment, region)));
  // Before one region is changed, and another refuses.
  for (const stack of await Promise.all(regions.map((region) => findStack(aws(region), id)))) {
    if (stack !== null) checkUsable(stack);
  }
  const lacking = await Promise.all(regions.map((region) => lacksImage(aws(region), id, image.tag)));
  if (lacking.includes(true)) await image.build();
  const applied = regions.map(async (region, index) => {
    const parameters = {
      Experiment: id,
      ImageTag: image.tag,
      Vpc: networks.get(region)!.vpcId,
      Home: region === serverRegion ? 'yes' : 'no',
    };
    const done = await applyStack(aws(region), { id, template: templates[index]!, parameters }, options);
    say(`${region}: the stack ${stackName(id)} is ${done}`);
  });
  // If one region fails, the others come to an end.
  const failed = (await Promise.allSettled(applied)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    const next = `Mend that and call it again, or remove the rest: ./scriptorium fargate clean ${id}`;
    throw new Unavailable(`${(failed.reason as Error).message}. ${next}`, { cause: failed.reason });
  }
  for (const [index, region] of regions.entries()) {
    if (lacking[index]) await pushTo(aws(region), id, image);
  }
}

async function lacksImage({ ecr, region }: Clients, id: string, tag: string): Promise<boolean> {
  const input = { repositoryName: stackName(id), imageIds: [{ imageTag: tag }] };
  return onAws({ what: 'the image', region }, async () => {
    // No such repository, or no such image in it.
    const { imageDetails } = await ecr.send(new DescribeImagesCommand(input)).catch(ifMissing({ imageDetails: [] }));
    return imageDetails?.length === 0;
  });
}

async function pushTo(clients: Clients, id: string, image: Image): Promise<void> {
  const { ecr, region } = clients;
  const { authorizationData = [] } = await onAws({ what: 'the login to the repository', region }, () =>
    ecr.send(new GetAuthorizationTokenCommand({})),
  );
  const login = Buffer.from(authorizationData[0]!.authorizationToken!, 'base64').toString();
  const [user = '', password = ''] = login.split(':');
  await image.push((await findStack(clients, id))!.outputs.Image!, { user, password });
}

/**
 * Checks that stacks and image stand as this run needs them, before anything starts.
 *
 * @returns the stack of each region
 * @throws UserError (3) with the difference, and the next step
 */
export async function requireStanding(aws: Aws, deployment: Deployment, imageTag: string): Promise<Map<string, Stack>> {
  const stacks = new Map<string, Stack>();
  for (const region of deployment.regions) stacks.set(region, await requireStack(aws(region), deployment, imageTag));
  return stacks;
}

async function requireStack(clients: Clients, deployment: Deployment, imageTag: string): Promise<Stack> {
  const { region } = clients;
  const { id, kinds } = deployment;
  const refuse = (what: string) => {
    throw new Unavailable(`${what} in ${region}; call ./scriptorium fargate up for this experiment first`);
  };
  const stack = await findStack(clients, id);
  if (stack === null) return refuse(`the stack ${stackName(id)} is missing`);
  checkUsable(stack);
  const [standing, wanted] = await Promise.all([templateOf(clients, stack), stackTemplate(deployment, region)]);
  for (const kind of kinds.filter(({ regions }) => regions.includes(region))) {
    const resource = logicalId(kind);
    if (isDeepStrictEqual(standing.Resources[resource], wanted.Resources[resource])) continue;
    refuse(`the stack ${stack.name} has not the tasks "${kind.name}" that the experiment asks for`);
  }
  if (stack.parameters.ImageTag !== imageTag) {
    refuse('the image on AWS was built from other sources, or for other frameworks, than lie here: the old one stands');
  }
  if (await lacksImage(clients, id, imageTag)) refuse(`the image ${imageTag} is missing`);
  return stack;
}
