/** `fargate plan | up | status | clean`: everything about AWS but the run itself, which is `run FILE --on fargate`. */
import { type Command, Option } from 'commander';
import { UserError } from '../../../results/user-error.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { loadExperiment } from '../../experiment/experiment-file.ts';
import { addExperimentOptions, overridesFrom } from '../../experiment/experiment-options.ts';
import { makePlan } from '../../experiment/plan.ts';
import { fargatePlanOf } from './deployment.ts';
import { formatFargatePlan } from './text.ts';

interface RegionFlags {
  regions?: string;
}

/** AWS's many modules are loaded by the command that needs them, not by every one of this command line. */
const onAws = () => import('./on-aws.ts');

export function addFargateCommands(program: Command): void {
  const fargate = program
    .command('fargate')
    .description('plan, ready, watch and clean up what a run on AWS Fargate needs');

  withExperiment(
    fargate
      .command('plan')
      .description('print tasks, sizes, vCPU-hours, cost, quotas and calls of a run on AWS; needs no account'),
    async (experiment) => console.log(formatFargatePlan(fargatePlanOf(experiment, makePlan(experiment)))),
  );

  withExperiment(
    fargate
      .command('up')
      .description(
        'check the account, make or change a stack in each region, and push the image; a second time changes nothing',
      ),
    async (experiment) => (await onAws()).provision(experiment),
  );

  addRegionOption(
    fargate.command('status').description('list what of this project is on AWS, and which tasks run'),
  ).action(async ({ regions }: RegionFlags) => (await onAws()).showStatus(regions));

  addRegionOption(
    fargate
      .command('clean')
      .description('stop all tasks of an experiment, delete its stacks, and look again by name')
      .argument('[id]', 'the experiment, as `fargate status` lists it')
      .option('--all', 'every experiment of this project in the account'),
  ).action(async (id: string | undefined, { all = false, regions }: RegionFlags & { all?: boolean }) => {
    if ((id === undefined) !== all) {
      throw new UserError('name the experiment to clean up, or say --all; ./scriptorium fargate status lists them', {
        exitCode: 2,
      });
    }
    await (await onAws()).cleanUp(id ?? null, regions);
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
