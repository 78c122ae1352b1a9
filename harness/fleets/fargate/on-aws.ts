/** What the commands do in an account: make what a run needs, look at it, remove it. */
import { join } from 'node:path';
import { findFrameworks } from '../../../frameworks/discover.ts';
import { withLayer } from '../../../frameworks/image/layer.ts';
import { type Aws, connectAws, defaultRegion } from '../../../infra/fargate/clients.ts';
import { checkDeploymentId } from '../../../infra/fargate/naming.ts';
import { FARGATE_PACE } from '../../../infra/fargate/pace.ts';
import { checkAccount } from '../../../infra/fargate/provisioning/check-account.ts';
import { clean } from '../../../infra/fargate/provisioning/clean.ts';
import { allRegions } from '../../../infra/fargate/provisioning/find-resources.ts';
import { buildImage, checkDocker, localDocker } from '../../../infra/fargate/provisioning/image.ts';
import { readStatus } from '../../../infra/fargate/provisioning/status.ts';
import { up } from '../../../infra/fargate/provisioning/up.ts';
import { PROJECT_ROOT } from '../../../infra/project.ts';
import { UserError } from '../../../results/user-error.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { makePlan } from '../../experiment/plan.ts';
import { fargatePlanOf } from './deployment.ts';
import { formatFargateStatus } from './text.ts';

const DOCKERFILE = join('infra', 'compose', 'Dockerfile');

/** @throws UserError (2, 3) where the account or this machine lacks something; what was created stands */
export async function provision(experiment: Experiment): Promise<void> {
  const { deployment, quotas } = fargatePlanOf(experiment, makePlan(experiment));
  const say = (text: string) => console.error(text);
  const docker = localDocker(PROJECT_ROOT, say);
  const aws = connectAws();
  // Nothing is created before everything that can be checked has been: docker, the account, and the image itself.
  await checkDocker(docker);
  const account = await checkAccount(aws, deployment, quotas);
  const frameworks = await findFrameworks(experiment.frameworks);
  const image = await withLayer([...frameworks.values()], (layer) =>
    buildImage(docker, { root: PROJECT_ROOT, dockerfile: DOCKERFILE, layer }),
  );
  await up({
    aws,
    deployment,
    account,
    image,
    docker,
    onChange: ({ region, what, done }) => say(`${done.padEnd(9)}  ${region}: ${what}`),
  });
  console.log(`"${deployment.id}" stands. Run it with: ./scriptorium run FILE --on fargate`);
  console.log(`Remove it with: ./scriptorium fargate clean ${deployment.id}`);
}

/** @param regions with commas between them; absent: all that the account uses */
export async function showStatus(regions?: string): Promise<void> {
  const aws = connectAws();
  const searched = await searchedRegions(aws, regions);
  console.log(formatFargateStatus(await readStatus(aws, searched), searched));
}

/**
 * @param id null: every experiment of this project
 * @throws UserError (3) where not everything is gone
 */
export async function cleanUp(id: string | null, regions?: string): Promise<void> {
  if (id !== null) checkDeploymentId(id);
  const aws = connectAws();
  const { removed, left } = await clean({
    aws,
    regions: await searchedRegions(aws, regions),
    id,
    pace: FARGATE_PACE,
    say: (text) => console.error(text),
  });
  if (left.length > 0) {
    const lines = left.map(({ what, region, why }) => `  ${region}: ${what}: ${why}`);
    throw new UserError(`not everything is gone; call it again, or look into the AWS console:\n${lines.join('\n')}`, {
      exitCode: 3,
    });
  }
  const whose = id === null ? 'this project' : `"${id}"`;
  console.log(removed.length === 0 ? `There was nothing of ${whose}.` : `Nothing of ${whose} is left.`);
}

async function searchedRegions(aws: Aws, given?: string): Promise<string[]> {
  if (given !== undefined) return given.split(',').map((each) => each.trim());
  return allRegions(aws, await defaultRegion());
}
