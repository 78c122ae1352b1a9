/** A small deployment, and how patient tests are with it. */
import { connectAws, type Pace } from '../../infra/fargate/clients.ts';
import type { Deployment, TaskKind, TaskSize } from '../../infra/fargate/plan/deployment.ts';
import type { Image } from '../../infra/fargate/up.ts';

export const HOME = 'us-east-1';
export const AWAY = 'eu-north-1';

/** As patient as a stand-in needs. */
export const TEST_PACE: Pace = { pollMs: 10, backOffMs: 10, startLimitMs: 400, stopLimitMs: 2000, stackLimitMs: 5000 };

export const EXAMPLE: Deployment = {
  id: 'example',
  serverRegion: HOME,
  regions: [HOME, AWAY],
  userTasksAtOnce: 4,
  ports: { call: 7400, tasks: { from: 7401, to: 7403 } },
  kinds: [
    taskKind('coordinator', HOME, { cpuUnits: 1024, memoryMiB: 2048 }),
    taskKind('noquill-1', AWAY, { cpuUnits: 512, memoryMiB: 1024 }),
  ],
};

function taskKind(name: string, region: string, size: TaskSize): TaskKind {
  const isHome = name === 'coordinator';
  const role = isHome ? 'coordinator' : 'users';
  return { name, role, regions: [region], size, containers: [isHome ? name : 'user-1'], share: size };
}

export const TEST_TAG = '0123456789abcdef';

/** An image that nobody builds; what becomes of its push is the test's. */
export const testImage = (push: Image['push'] = async () => {}): Image => ({
  tag: TEST_TAG,
  build: async () => {},
  push,
});

export const clientsAt = ({ endpoint }: { endpoint: string }) =>
  connectAws({ endpoint, credentials: { accessKeyId: 'AKIDTEST', secretAccessKey: 'test' } });
