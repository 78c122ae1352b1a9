/** Output of `fargate plan` and `fargate status`. */
import type { ExperimentStatus } from '../../../infra/fargate/clean.ts';
import { CPU_UNITS_PER_VCPU } from '../../../infra/fargate/plan/deployment.ts';
import type { FargatePlan } from '../../../infra/fargate/plan/plan.ts';
import { PRICES_AS_OF, PRICES_PAGE } from '../../../infra/fargate/plan/prices.ts';
import { alignTable } from '../../../results/text-table.ts';
import { formatAbout } from '../../experiment/units.ts';

export function formatFargatePlan({ deployment, durationMs, tasks, quotas, cost, calls }: FargatePlan): string {
  const rows = tasks.map((each) => [
    each.region,
    each.kind,
    `${each.tasks}`,
    `${each.containers}`,
    `${each.size.cpuUnits / CPU_UNITS_PER_VCPU} vCPU and ${each.size.memoryMiB} MiB`,
    each.spot ? 'spot, else on demand' : 'on demand',
    each.vcpuHours.toFixed(1),
  ]);
  const shared = tasks.some(({ containers }) => containers > 1);
  return [
    `${deployment.id}: ${formatAbout(durationMs)} at most, if no trial is run again`,
    '',
    alignTable([['region', 'task', 'at once', 'containers each', 'size', 'capacity', 'vCPU-hours'], ...rows]),
    '',
    ...(shared
      ? [
          'note: users that share a task may use the CPU that others leave idle; with usersPerTask 1 the limit is hard',
          '',
        ]
      : []),
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
    '',
    'calls that it takes:',
    ...calls.map((call) => `  ${call}`),
  ].join('\n');
}

export function formatFargateStatus(experiments: readonly ExperimentStatus[], regions: readonly string[]): string {
  const looked = `Looked into ${regions.length === 1 ? regions[0] : `${regions.length} regions`}.`;
  if (experiments.length === 0) return `Nothing of this project is on AWS. ${looked}`;
  const parts = experiments.map(({ id, stacks, tasks }) => {
    const standing = stacks.map(({ region, name, status }) => [region, name, status]);
    const running = tasks.map(({ region, task }) => [
      region,
      task.group?.replace(/^family:/, '') ?? '',
      task.lastStatus ?? 'unknown',
      task.capacityProviderName === 'FARGATE_SPOT' ? 'spot' : 'on demand',
      task.startedAt === undefined ? '' : `since ${task.startedAt.toISOString()}`,
    ]);
    return [
      `${id}: ${tasks.length === 0 ? 'no task runs' : `${tasks.length} tasks, which cost money`}`,
      ...(running.length > 0 ? [alignTable([['region', 'task', 'state', 'capacity', ''], ...running]), ''] : []),
      alignTable([['region', 'stack', 'state'], ...standing]),
    ].join('\n');
  });
  return [...parts, looked].join('\n\n');
}
