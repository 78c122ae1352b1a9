/** `fargate plan | up | status | clean`: everything about AWS but the run itself, which is `run FILE --on fargate`. */
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Aws } from '../../../infra/fargate/clients.ts';
import { UserError } from '../../../results/user-error.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { loadExperiment } from '../../experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../../experiment/experiment-flags.ts';
import { makePlan } from '../../experiment/plan.ts';
import { PROJECT_ROOT } from '../../project.ts';

const DOCKERFILE = join('infra', 'compose', 'Dockerfile');

interface RegionFlags {
  regions?: string;
}

/** AWS's many modules are loaded by the command that needs them, not by every one of this command line. */
export function addFargateCommands(program: Command): void {
  const fargate = program
    .command('fargate')
    .description('plan, ready, watch and clean up what a run on AWS Fargate needs');

  withExperiment(
    fargate
      .command('plan')
      .description('print tasks, sizes, vCPU-hours, cost, quotas and calls of a run on AWS; needs no account'),
    async (experiment) => {
      const { fargatePlanOf } = await import('./deployment.ts');
      const { formatFargatePlan } = await import('./plan-text.ts');
      console.log(formatFargatePlan(fargatePlanOf(experiment, makePlan(experiment))));
    },
  );

  withExperiment(
    fargate
      .command('up')
      .description('check the account, push the image, and create what a run needs; a second time changes nothing'),
    up,
  );

  addRegionOption(
    fargate.command('status').description('list what of this project is on AWS, and which tasks run'),
  ).action(async ({ regions }: RegionFlags) => {
    const { connectAws } = await import('../../../infra/fargate/clients.ts');
    const { readStatus } = await import('../../../infra/fargate/provisioning/status.ts');
    const { formatFargateStatus } = await import('./plan-text.ts');
    const aws = connectAws();
    const searched = await searchedRegions(aws, regions);
    console.log(formatFargateStatus(await readStatus(aws, searched), searched));
  });

  addRegionOption(
    fargate
      .command('clean')
      .description('stop all tasks of an experiment and remove all that "up" made for it, found by tags alone')
      .argument('[id]', 'the experiment, as `fargate status` lists it')
      .option('--all', 'every experiment of this project in the account'),
  ).action(async (id: string | undefined, { all = false, regions }: RegionFlags & { all?: boolean }) => {
    if ((id === undefined) !== all) {
      throw new UserError('name the experiment to clean up, or say --all; ./scriptorium fargate status lists them', {
        exitCode: 2,
      });
    }
    await cleanUp(id ?? null, regions);
  });
}

function withExperiment(command: Command, act: (experiment: Experiment) => Promise<void>): void {
  addExperimentOptions(command.argument('<file>', 'the experiment: a YAML file')).action(
    async (file: string, options: Record<string, unknown>) => {
      const overrides = overridesFrom({ ...options, on: 'fargate' });
      await act(await loadExperiment({ path: file, overrides }));
    },
  );
}

function addRegionOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--regions <names>',
      'look only there, such as us-east-1,eu-north-1 (default: all that the account uses)',
    ),
  );
}

async function up(experiment: Experiment): Promise<void> {
  const { connectAws } = await import('../../../infra/fargate/clients.ts');
  const { checkAccount } = await import('../../../infra/fargate/provisioning/check-account.ts');
  const { buildImage, checkDocker, localDocker } = await import('../../../infra/fargate/provisioning/image.ts');
  const { up: create } = await import('../../../infra/fargate/provisioning/up.ts');
  const { fargatePlanOf } = await import('./deployment.ts');
  const { deployment, quotas } = fargatePlanOf(experiment, makePlan(experiment));
  const say = (text: string) => console.error(text);
  const docker = localDocker(PROJECT_ROOT, say);
  const aws = connectAws();
  // Nothing is created before everything that can be checked has been: docker, the account, and the image itself.
  await checkDocker(docker);
  const account = await checkAccount(aws, deployment, quotas);
  const image = await buildImage(docker, DOCKERFILE);
  await create({
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

async function cleanUp(id: string | null, regions: string | undefined): Promise<void> {
  const { connectAws } = await import('../../../infra/fargate/clients.ts');
  const { clean } = await import('../../../infra/fargate/provisioning/clean.ts');
  const { checkDeploymentId } = await import('../../../infra/fargate/naming.ts');
  const { FARGATE_PACE } = await import('../../../infra/fargate/pace.ts');
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
  const { defaultRegion } = await import('../../../infra/fargate/clients.ts');
  const { allRegions } = await import('../../../infra/fargate/provisioning/find-resources.ts');
  return allRegions(aws, await defaultRegion());
}
