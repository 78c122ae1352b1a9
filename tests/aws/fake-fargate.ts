/** A whole Fargate on this machine, for tests: the fake AWS, with containers as processes of the project. */
import type { Deployment } from '../../infra/fargate/plan/deployment.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { processEngine } from './processes.ts';
import { type FakeAws, startFakeAws } from './server.ts';

/** Everybody's address here; the experiment must name it as the one that it is reached from. */
export const FAKE_ADDRESS = '127.0.0.1';

/** Starts it with everything in place that `up` makes. */
export async function startFakeFargate(options: {
  deployment: Deployment;
  imageTag: string;
  onLog?: (container: string, text: string) => void;
}): Promise<FakeAws> {
  const { deployment, imageTag, onLog } = options;
  const fake = await startFakeAws({
    regions: deployment.regions,
    addressOf: () => FAKE_ADDRESS,
    engine: (metadataEndpoint) => processEngine({ root: PROJECT_ROOT, metadataEndpoint, onLog }),
  });
  await fake.stand(deployment, { imageTag, caller: FAKE_ADDRESS });
  return fake;
}
