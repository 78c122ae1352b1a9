/** The commands in an account: make the stacks of an experiment, look at them, remove them. */
import type { Frameworks } from '../../../frameworks/framework.ts';
import { withLayer } from '../../../frameworks/image/layer.ts';
import { checkAccount } from '../../../infra/fargate/account.ts';
import { allRegions, clean, readStatus, type Standing } from '../../../infra/fargate/clean.ts';
import { type Aws, connectAws, defaultRegion, FARGATE_PACE } from '../../../infra/fargate/clients.ts';
import { buildImage, checkDocker, localDocker, pushImage } from '../../../infra/fargate/image.ts';
import { checkDeploymentId } from '../../../infra/fargate/naming.ts';
import { up } from '../../../infra/fargate/up.ts';
import { sourceFingerprint } from '../../../infra/project.ts';
import { alignTable } from '../../../results/text-table.ts';
import { Unavailable } from '../../../results/user-error.ts';
import type { TypingExperiment } from '../../experiment/experiment-file.ts';
import { makePlan } from '../../experiment/plan.ts';
import { fargatePlanOf } from './deployment.ts';

const say = (text: string) => console.error(text);

/** @throws UserError (2, 3) if the account or this machine lacks something; what was made stands, and a second call goes on */
export async function provision({ experiment, frameworks }: TypingExperiment): Promise<void> {
  const { deployment, quotas } = fargatePlanOf(experiment, makePlan(experiment, frameworks));
  const docker = localDocker(say);
  const aws = connectAws();
  // Nothing is made before everything that can be checked has been.
  await checkDocker(docker);
  const networks = await checkAccount(aws, deployment, quotas);
  const image = {
    tag: await imageTag(frameworks),
    build: () => layered(frameworks, (layer) => buildImage(docker, layer)),
    push: pushImage.bind(null, docker),
  };
  await up({ aws, deployment, networks, image, pace: FARGATE_PACE, say });
  console.log(`"${deployment.id}" stands. Run it with: ./scriptorium run FILE --on fargate`);
  console.log(`Remove it with: ./scriptorium fargate clean ${deployment.id}`);
}

/** The tag of the image that holds what lies here, and what these frameworks take beside the project. */
export async function imageTag(frameworks: Frameworks): Promise<string> {
  const digest = await layered(frameworks, async (layer) => (layer === null ? '' : `-${layer.digest}`));
  return `${await sourceFingerprint()}${digest}`;
}

function layered<T>(frameworks: Frameworks, use: Parameters<typeof withLayer<T>>[1]): Promise<T> {
  return withLayer([...frameworks.values()], use);
}

/** @param regions with commas between them; absent: all that the account uses */
export async function showStatus(regions?: string): Promise<void> {
  const aws = connectAws();
  const searched = await searchedRegions(aws, regions);
  console.log(formatFargateStatus(await readStatus(aws, searched), searched));
}

function formatFargateStatus(standing: readonly Standing[], regions: readonly string[]): string {
  const looked = `Looked into ${regions.length === 1 ? regions[0] : `${regions.length} regions`}.`;
  if (standing.length === 0) return `Nothing of this project is on AWS. ${looked}`;
  const experiments = [...Map.groupBy(standing, ({ stack }) => stack.id)].sort().map(([id, parts]) => {
    const stacks = parts.map(({ stack: { region, name, status } }) => [region, name, status]);
    const tasks = parts.flatMap(({ stack, tasks: running }) =>
      running.map(({ group, lastStatus, capacityProviderName, startedAt }) => [
        stack.region,
        group?.replace(/^family:/, '') ?? '',
        lastStatus ?? 'unknown',
        capacityProviderName === 'FARGATE_SPOT' ? 'spot' : 'on demand',
        startedAt === undefined ? '' : `since ${startedAt.toISOString()}`,
      ]),
    );
    return [
      `${id}: ${tasks.length === 0 ? 'no task runs' : `${tasks.length} tasks, which cost money`}`,
      ...(tasks.length > 0 ? [alignTable([['region', 'task', 'state', 'capacity', ''], ...tasks]), ''] : []),
      alignTable([['region', 'stack', 'state'], ...stacks]),
    ].join('\n');
  });
  return [...experiments, looked].join('\n\n');
}

/**
 * @param id null: every experiment of this project
 * @throws UserError (3) if not everything is gone
 */
export async function cleanUp(id: string | null, regions?: string): Promise<void> {
  if (id !== null) checkDeploymentId(id);
  const aws = connectAws();
  const searched = await searchedRegions(aws, regions);
  const { removed, left } = await clean({ aws, regions: searched, id, pace: FARGATE_PACE, say });
  if (left.length > 0) {
    throw new Unavailable(
      `not everything is gone; call it again, or look into the AWS console:\n  ${left.join('\n  ')}`,
    );
  }
  const whose = id === null ? 'this project' : `"${id}"`;
  console.log(removed.length === 0 ? `There was nothing of ${whose}.` : `Nothing of ${whose} is left.`);
}

async function searchedRegions(aws: Aws, names?: string): Promise<string[]> {
  if (names !== undefined) return names.split(',').map((name) => name.trim());
  return allRegions(aws, await defaultRegion());
}
