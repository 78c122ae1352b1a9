/** Plays containers as processes of this machine, so that a whole run on Fargate can be seen without Fargate. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from '../../infra/fargate/plan/deployment.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { type FakeAws, type FakeAwsOptions, startFakeAws } from './server.ts';
import type { ContainerEngine, FakeContainer, FakeTask } from './tasks.ts';

/** Fargate grants up to 120 s; a test has less time. */
const GRACE_MS = 8000;
/** Variables of this machine that a container's process inherits. */
const INHERITED = ['PATH', 'HOME', 'SCRIPTORIUM_CHROME', 'NODE_COMPILE_CACHE'];

function processEngine(metadataEndpoint: string): ContainerEngine {
  const running = new Map<FakeTask, { child: ChildProcess; gone: Promise<void> }[]>();

  const startOne = (task: FakeTask, container: FakeContainer, onExit: () => void) => {
    const definition = task.definition.ContainerDefinitions.find(
      ({ Name }: { Name: string }) => Name === container.name,
    );
    const [, ...args] = definition.Command;
    // A container's disk goes with it, also if it is killed.
    const disk = mkdtempSync(join(tmpdir(), 'fake-container-'));
    const child = spawn(process.execPath, args, {
      cwd: PROJECT_ROOT,
      env: {
        ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
        TMPDIR: disk,
        ...task.environment[container.name],
        ECS_CONTAINER_METADATA_URI_V4: `${metadataEndpoint}/${task.interfaceId}`,
      },
      stdio: 'ignore',
      detached: true,
    });
    const gone = new Promise<void>((resolve) => {
      child.once('close', (code, signal) => {
        container.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 143);
        rmSync(disk, { recursive: true, force: true, maxRetries: 3 });
        onExit();
        resolve();
      });
    });
    return { child, gone };
  };

  return {
    start(task, onExit) {
      running.set(
        task,
        task.containers.map((container) => startOne(task, container, onExit)),
      );
    },
    async stop(task, unannounced) {
      const processes = running.get(task) ?? [];
      running.delete(task);
      for (const { child } of processes) child.kill(unannounced ? 'SIGKILL' : 'SIGTERM');
      const killer = setTimeout(() => {
        for (const { child } of processes) child.kill('SIGKILL');
      }, GRACE_MS);
      await Promise.all(processes.map(({ gone }) => gone));
      clearTimeout(killer);
    },
  };
}

/** Everybody's address here; the experiment must name it as the one that it is reached from. */
export const FAKE_ADDRESS = '127.0.0.1';

/** Starts a whole Fargate on this machine: the fake AWS with everything in place that `up` makes, and containers as processes. */
export async function startFakeFargate(
  deployment: Deployment,
  imageTag: string,
  options: Pick<FakeAwsOptions, 'fateOf'> = {},
): Promise<FakeAws> {
  const { regions } = deployment;
  const fake = await startFakeAws({ ...options, regions, addressOf: () => FAKE_ADDRESS, engine: processEngine });
  await fake.stand(deployment, imageTag);
  return fake;
}
