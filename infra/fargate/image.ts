/** Builds the image and pushes it to a region's repository, by docker's own commands, each of them shown. */
import { Unavailable } from '../../results/user-error.ts';
import { buildArguments, type ImageLayer } from '../compose/docker.ts';
import { runTool } from '../process/child.ts';
import { PROJECT_ROOT } from '../project.ts';

/** Runs docker with these arguments, and gives what it prints. */
export type Docker = (args: string[], options?: { input?: string; quiet?: boolean }) => Promise<string>;

/** @param say shows each command */
export function localDocker(say: (message: string) => void): Docker {
  return async (args, { input, quiet = false } = {}) => {
    if (!quiet) say(`docker ${args.join(' ')}`);
    try {
      return await runTool(['docker', ...args], { folder: PROJECT_ROOT, input });
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      throw new Unavailable(
        code === 'ENOENT'
          ? `docker cannot be started (${message}). It builds the image and pushes it; install it, and start its engine`
          : `docker ${args.slice(0, 2).join(' ')} failed:\n${message}`,
        { cause },
      );
    }
  };
}

/** @throws UserError (3) if there is no docker, or its engine does not answer */
export async function checkDocker(docker: Docker): Promise<void> {
  await docker(['version', '--format', '{{.Server.Version}}'], { quiet: true });
}

/** The image's name on this machine. */
const LOCAL_NAME = 'scriptorium-fargate';

/**
 * @param layer files that the experiment takes beside the project; null: none
 * @throws UserError (3) with docker's own words if it cannot be built
 */
export async function buildImage(docker: Docker, layer: ImageLayer | null): Promise<void> {
  // Fargate runs these tasks on x86, whatever the machine is that builds.
  const platform = ['--platform', 'linux/amd64'];
  await docker(['build', ...platform, '--file', 'infra/compose/Dockerfile', '--tag', LOCAL_NAME, '.']);
  if (layer === null) return;
  const [build, ...rest] = buildArguments(layer, LOCAL_NAME);
  await docker([build!, ...platform, ...rest]);
}

/**
 * Pushes the image that was built last.
 *
 * @param remoteName the repository, and the image's tag in it
 */
export async function pushImage(
  docker: Docker,
  remoteName: string,
  login: { user: string; password: string },
): Promise<void> {
  // Through standard input, where neither `ps` nor the log shows it.
  const registry = remoteName.split('/')[0]!;
  await docker(['login', '--username', login.user, '--password-stdin', registry], { input: login.password });
  await docker(['tag', LOCAL_NAME, remoteName]);
  await docker(['push', remoteName]);
}
