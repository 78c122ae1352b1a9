/** The local fleet: processes on this machine, in a temporary folder of each trial's own. It sets no limits on CPU or memory. */
import { type Failure, failureOf, type Job, LOOPBACK, type RunFleet } from '../fleet.ts';
import { Child, nodeCommand } from '../process/child.ts';
import { childEnvironment } from '../process/environment.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../process/made-once.ts';

/**
 * @param root        the folder that jobs' entry files are relative to
 * @param environment variables that every process gets beside those that environment.ts lets through
 */
export function localFleet(root: string, environment: NodeJS.ProcessEnv = {}): RunFleet {
  const processes = new Set<Child>();
  let temporaryFolder: string | null = null;
  let isStopping = false;
  const run = async (job: Job): Promise<Failure | null> => {
    const running = new Child({
      command: nodeCommand(job.entry, ...job.arguments),
      folder: root,
      // Files that the process leaves behind, such as Chrome's profiles, lie in the folder that `stop` removes.
      environment: { ...childEnvironment(), ...environment, ...job.environment, TMPDIR: temporaryFolder! },
    });
    processes.add(running);
    const end = await running.ended;
    processes.delete(running);
    return isStopping ? null : failureOf(`the ${job.name} process`, end);
  };
  const stop = async () => {
    isStopping = true;
    await Promise.all([...processes].map((running) => running.stop()));
    if (temporaryFolder !== null) await removeTemporaryFolder(temporaryFolder);
  };
  return {
    network: LOOPBACK,
    chrome: null,
    async ready() {
      temporaryFolder = await makeTemporaryFolder('');
      isStopping = false;
    },
    launch: async (job) => ({ address: LOOPBACK.server.listensOn, failed: run(job) }),
    stop,
    close: stop,
  };
}
