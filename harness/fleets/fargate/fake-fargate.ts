/** A whole Fargate on this machine, for tests: the fake AWS, with containers as processes of the project. */

import { fakeClients, fakeDocker } from '../../../infra/fargate/fake-aws/example.ts';
import { processEngine } from '../../../infra/fargate/fake-aws/processes.ts';
import { type FakeAws, startFakeAws } from '../../../infra/fargate/fake-aws/server.ts';
import type { Fate } from '../../../infra/fargate/fake-aws/task.ts';
import type { Deployment } from '../../../infra/fargate/plan/deployment.ts';
import { checkAccount } from '../../../infra/fargate/provisioning/check-account.ts';
import { up } from '../../../infra/fargate/provisioning/up.ts';
import { PROJECT_ROOT } from '../../project.ts';

/** Everybody's address here; the experiment must name it as the one that it is reached from. */
export const FAKE_ADDRESS = '127.0.0.1';

/** Starts it with everything in place that `up` makes. */
export async function startFakeFargate(options: {
  deployment: Deployment;
  fateOf?: (task: { family: string }) => Fate;
  onLog?: (container: string, text: string) => void;
}): Promise<FakeAws> {
  const { deployment, fateOf, onLog } = options;
  const fake = await startFakeAws({
    regions: deployment.regions,
    fateOf,
    addressOf: () => FAKE_ADDRESS,
    engine: (metadataEndpoint) => processEngine({ root: PROJECT_ROOT, metadataEndpoint, onLog }),
  });
  const aws = fakeClients(fake);
  await up({
    aws,
    deployment,
    account: await checkAccount(aws, deployment, []),
    image: { localName: 'local', tag: '0123456789abcdef' },
    docker: fakeDocker(fake).docker,
    onChange: () => {},
  });
  return fake;
}
