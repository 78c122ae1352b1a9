/** What `fargate plan` and `fargate status` print. */
import type { FargatePlan } from '../../../infra/fargate/plan/plan.ts';
import { PRICES_AS_OF, PRICES_PAGE } from '../../../infra/fargate/plan/prices.ts';
import { formatSize } from '../../../infra/fargate/plan/sizes.ts';
import type { DeploymentStatus } from '../../../infra/fargate/provisioning/status.ts';
import { alignTable } from '../../../results/text-table.ts';
import { formatAbout } from '../../experiment/duration.ts';

export function formatFargatePlan({ deployment, durationMs, tasks, quotas, cost, calls }: FargatePlan): string {
  const rows = tasks.map((each) => [
    each.region,
    each.kind,
    `${each.tasks}`,
    `${each.containers}`,
    formatSize(each.size),
    each.spot ? 'spot, else on demand' : 'on demand',
    each.vcpuHours.toFixed(1),
  ]);
  const shared = tasks.some(({ kind, containers }) => kind !== 'server' && containers > 1);
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
    ...quotas.map(({ region, kind, vcpus, fallBackVcpus }) => {
      const more = fallBackVcpus > 0 ? `, and up to ${fallBackVcpus} more where spot has no room` : '';
      return `  ${region}, ${kind}: ${vcpus}${more}`;
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

export function formatFargateStatus(deployments: readonly DeploymentStatus[], regions: readonly string[]): string {
  const looked = `Looked into ${regions.length === 1 ? regions[0] : `${regions.length} regions`}.`;
  if (deployments.length === 0) return `Nothing of this project is on AWS. ${looked}`;
  const parts = deployments.map(({ id, resources, tasks }) => {
    const standing = resources.map(({ region, kind, name }) => [region, kind, name]);
    const running = tasks.map((task) => [
      task.region,
      task.kind,
      task.status,
      task.spot ? 'spot' : 'on demand',
      task.startedAt === null ? '' : `since ${task.startedAt.toISOString()}`,
    ]);
    return [
      `${id}: ${tasks.length === 0 ? 'no task runs' : `${tasks.length} tasks, which cost money`}`,
      ...(running.length > 0 ? [alignTable([['region', 'task', 'state', 'capacity', ''], ...running]), ''] : []),
      alignTable([['region', 'what', 'name'], ...standing]),
    ].join('\n');
  });
  return [...parts, looked].join('\n\n');
}
