/** Users and server as tasks on AWS, and the coordinator with them; `fargate plan | up | status | clean` are its commands. */
import type { Command } from 'commander';
import { leftOut, readyProjectPackages } from '../../../frameworks/packages/project-packages.ts';
import { CPU_UNITS_PER_VCPU } from '../../../infra/fargate/plan/deployment.ts';
import type { FargatePlan } from '../../../infra/fargate/plan/plan.ts';
import { PRICES_AS_OF, PRICES_PAGE } from '../../../infra/fargate/plan/prices.ts';
import { alignTable } from '../../../results/text-table.ts';
import { UserError } from '../../../results/user-error.ts';
import { loadExperiment, type TypingExperiment } from '../../experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../../experiment/experiment-options.ts';
import { makePlan } from '../../experiment/plan.ts';
import { formatAbout } from '../../experiment/units.ts';
import type { FleetKind } from '../fleet-kind.ts';
import { fargatePlanOf } from './deployment.ts';

export default {
  // Only those who go to AWS wait for its many modules to load.
  open: async (options) => {
    await readyClients();
    return (await import('./runner.ts')).openFargateRunner(options);
  },
  planLines: () => ['tasks, quotas and cost on AWS: ./scriptorium fargate plan, with the same file and flags'],
  addCommands,
} satisfies FleetKind;

/** The clients of AWS's services are installed only for who goes there. */
async function readyClients(): Promise<void> {
  const names = (await leftOut({ tools: false })).filter((name) => name.startsWith('@aws-sdk/'));
  await readyProjectPackages(names, { say: (text) => console.error(text) });
}

async function onAws() {
  await readyClients();
  return import('./on-aws.ts');
}

function addCommands(program: Command): void {
  const fargate = program
    .command('fargate')
    .description('plan, ready, watch and clean up what a run on AWS Fargate needs');
  const withExperiment = (name: string, description: string, act: (loaded: TypingExperiment) => Promise<void>) => {
    const command = fargate.command(name).description(description).argument('<file>', 'the experiment: a YAML file');
    addExperimentOptions(command).action(async (path: string, options: Record<string, unknown>) => {
      await act(await loadExperiment({ path, overrides: overridesFrom({ ...options, on: 'fargate' }) }));
    });
  };
  const regionFlag = [
    '--regions <names>',
    'look only there, such as us-east-1,eu-north-1 (default: all that the account uses)',
  ] as const;

  withExperiment(
    'plan',
    'print tasks, sizes, vCPU-hours, cost and quotas of a run on AWS; needs no account',
    async ({ experiment, frameworks }) =>
      console.log(formatFargatePlan(fargatePlanOf(experiment, makePlan(experiment, frameworks)))),
  );
  withExperiment(
    'up',
    'check the account, make or change a stack in each region, and push the image; a second time changes nothing',
    async (loaded) => (await onAws()).provision(loaded),
  );
  fargate
    .command('status')
    .description('list what of this project is on AWS, and which tasks run')
    .option(...regionFlag)
    .action(async ({ regions }: { regions?: string }) => (await onAws()).showStatus(regions));
  fargate
    .command('clean')
    .description('stop all tasks of an experiment, and delete its stacks')
    .argument('[id]', 'the experiment, as `fargate status` lists it')
    .option('--all', 'every experiment of this project in the account')
    .option(...regionFlag)
    .action(async (id: string | undefined, { all = false, regions }: { all?: boolean; regions?: string }) => {
      if ((id === undefined) !== all) {
        throw new UserError('name the experiment to clean up, or say --all; ./scriptorium fargate status lists them');
      }
      await (await onAws()).cleanUp(id ?? null, regions);
    });
}

const SHARED_NOTE =
  'note: users that share a task may use the CPU that others leave idle; with usersPerTask 1 the limit is hard';

function formatFargatePlan({ deployment, durationMs, tasks, quotas, cost }: FargatePlan): string {
  const rows = tasks.map((each) => [
    each.region,
    each.kind,
    `${each.tasks}`,
    `${each.containers}`,
    `${each.size.cpuUnits / CPU_UNITS_PER_VCPU} vCPU and ${each.size.memoryMiB} MiB`,
    each.spot ? 'spot, else on demand' : 'on demand',
    each.vcpuHours.toFixed(1),
  ]);
  return [
    `${deployment.id}: ${formatAbout(durationMs)} at most, if no trial is run again`,
    '',
    alignTable([['region', 'task', 'at once', 'containers each', 'size', 'capacity', 'vCPU-hours'], ...rows]),
    '',
    ...(tasks.some(({ containers }) => containers > 1) ? [SHARED_NOTE, ''] : []),
    'quotas needed, vCPUs at once:',
    ...quotas.map(({ region, spot, vcpus, fallBackVcpus }) => {
      const more = fallBackVcpus > 0 ? `, and up to ${fallBackVcpus} more where spot has no room` : '';
      return `  ${region}, ${spot ? 'spot' : 'on demand'}: ${vcpus}${more}`;
    }),
    '',
    `cost: about $${cost.dollars.toFixed(2)}, and $${cost.onDemandDollars.toFixed(2)} if everything runs on demand (${cost.vcpuHours.toFixed(1)} vCPU-hours)`,
    `  Fargate and public addresses; prices as of ${PRICES_AS_OF}, without tax, data transfer, logs and stored images: ${PRICES_PAGE}`,
    ...(cost.unpricedRegions.length > 0
      ? [`  no price is known here for ${cost.unpricedRegions.join(', ')}; the dearest that is known was taken`]
      : []),
  ].join('\n');
}
