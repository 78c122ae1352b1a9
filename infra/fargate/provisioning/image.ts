/** Builds the image and pushes it to a region's repository, by docker's own commands, each of them shown. */
import { UserError } from '../../../results/user-error.ts';
import { buildArguments, type ImageLayer } from '../../compose/layer.ts';
import { runCommand } from '../../process/child.ts';

/** Runs docker with these arguments, and gives what it prints. */
export type Docker = (args: string[], options?: { input?: string; quiet?: boolean }) => Promise<string>;

/**
 * @param say  shows each command
 * @param root the folder that is sent to docker
 */
export function localDocker(root: string, say: (message: string) => void): Docker {
  return async (args, { input, quiet = false } = {}) => {
    if (!quiet) say(`docker ${args.join(' ')}`);
    try {
      return await runCommand(['docker', ...args], { folder: root, input });
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      throw new UserError(
        code === 'ENOENT'
          ? `docker cannot be started (${message}). It builds the image and pushes it; install it, and start its engine`
          : `docker ${args.slice(0, 2).join(' ')} failed:\n${message}`,
        { exitCode: 3, cause },
      );
    }
  };
}

/** @throws UserError (3) where there is no docker, or its engine does not answer */
export async function checkDocker(docker: Docker): Promise<void> {
  await docker(['version', '--format', '{{.Server.Version}}'], { quiet: true });
}

/** How many characters of an image's digest tell it from others. */
const TAG_CHARACTERS = 16;

export interface BuiltImage {
  /** What docker calls it here. */
  localName: string;
  /** Follows from its content, so that the same image is not pushed twice. */
  tag: string;
}

/**
 * @param options.root  the project's folder
 * @param options.layer what the experiment takes beside the project; null: nothing
 * @throws UserError (3) with docker's own words where it cannot be built
 */
export async function buildImage(
  docker: Docker,
  { root, dockerfile, layer }: { root: string; dockerfile: string; layer: ImageLayer | null },
): Promise<BuiltImage> {
  const localName = 'scriptorium-fargate';
  // Fargate runs these tasks on x86, whatever the machine is that builds.
  await docker(['build', '--platform', 'linux/amd64', '--file', dockerfile, '--tag', localName, '.']);
  if (layer !== null) {
    const [build, ...rest] = buildArguments(layer, { root, base: localName, tag: localName });
    await docker([build!, '--platform', 'linux/amd64', ...rest]);
  }
  const digest = await docker(['image', 'inspect', '--format', '{{.Id}}', localName], { quiet: true });
  return { localName, tag: digest.replace('sha256:', '').slice(0, TAG_CHARACTERS) };
}

/** @param login AWS's own short-lived user and password for this registry */
export async function pushImage(
  docker: Docker,
  image: BuiltImage,
  to: { repositoryUri: string; login: { user: string; password: string } },
): Promise<void> {
  const remoteName = `${to.repositoryUri}:${image.tag}`;
  const registry = to.repositoryUri.split('/')[0]!;
  // Through standard input, where neither `ps` nor the log shows it.
  await docker(['login', '--username', to.login.user, '--password-stdin', registry], { input: to.login.password });
  await docker(['tag', image.localName, remoteName]);
  await docker(['push', remoteName]);
}
