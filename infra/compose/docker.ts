/** Docker as this project uses it: found, asked, and cleared of what a run made. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lastingProcessName, PROCESS_NAME, standingOf } from '../../results/run-folder/process-name.ts';
import { Unavailable } from '../../results/user-error.ts';
import { runTool } from '../process/child.ts';

/** On everything that a run makes: the run's id, and the process that it belongs to. */
const RUN_LABEL = 'scriptorium.run';
const OWNER_LABEL = 'scriptorium.owner';

/** Kinds of things that a run makes and labels, in the order in which they can be removed. */
const LABELLED = [
  { name: 'container', list: ['ps', '--all'], remove: ['rm', '--force', '--volumes'] },
  { name: 'network', list: ['network', 'ls'], remove: ['network', 'rm'] },
  { name: 'volume', list: ['volume', 'ls'], remove: ['volume', 'rm'] },
] as const;

/** Docker takes about so long to remove what another run asked it to. */
const OTHERS_REMOVE_MS = 1000;

/** The image by its usual name: of whichever sources it was built last. */
export const IMAGE = 'scriptorium';

/** The last that got a layer: its name keeps what the next build can use again. */
export const LAYERED_IMAGE = `${IMAGE}:frameworks`;

/** The image by the name that it has for one run alone. */
export function runImage(runId: string): string {
  return `${IMAGE}:run-${runId}`;
}

export interface Engine {
  /** `docker compose`, or `docker-compose`. */
  compose: readonly string[];
  cores: number;
  memoryMiB: number;
}

/**
 * Runs docker itself, such as `['tag', 'one', 'two']`.
 *
 * @returns its output
 * @throws UserError (exit code 3) with its own last word; the signal's reason
 */
export async function docker(args: readonly string[], { signal }: { signal?: AbortSignal } = {}): Promise<string> {
  return runTool(['docker', ...args], { signal }).catch((cause) => {
    signal?.throwIfAborted();
    throw new Unavailable(`docker ${args.slice(0, 2).join(' ')} failed: ${lastLine(cause.message)}`, { cause });
  });
}

/**
 * Finds Docker's engine and Compose.
 *
 * @throws UserError (exit code 3) that says which of them is missing
 */
export async function findEngine(signal: AbortSignal): Promise<Engine> {
  const INSTEAD = 'or run without containers, --on local';
  const info = await runTool(['docker', 'info', '--format', '{{.NCPU}} {{.MemTotal}}'], { signal }).catch((cause) => {
    signal.throwIfAborted();
    throw new Unavailable(
      cause.code === 'ENOENT'
        ? `there is no docker on this machine; install Docker Engine or Docker Desktop, ${INSTEAD}`
        : `Docker's engine cannot be reached (${lastLine(cause.message)}); start it, or let this account use it, ${INSTEAD}`,
      { cause },
    );
  });
  const [cores = 0, memoryBytes = 0] = lastLine(info).split(' ').map(Number);
  for (const compose of [['docker', 'compose'], ['docker-compose']]) {
    const isThere = await runTool([...compose, 'version'], { signal }).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (isThere) return { compose, cores, memoryMiB: memoryBytes / 2 ** 20 };
  }
  throw new Unavailable(
    `there is neither "docker compose" nor "docker-compose" on this machine; install Docker Compose, ${INSTEAD}`,
  );
}

/** Makes a network of the run's own. @returns the address that this machine has in it, as the engine says */
export async function createNetwork(options: { name: string; runId: string; signal: AbortSignal }): Promise<string> {
  const { name, runId, signal } = options;
  const labels = ['--label', `${RUN_LABEL}=${runId}`, '--label', `${OWNER_LABEL}=${lastingProcessName()}`];
  await docker(['network', 'create', ...labels, name], { signal });
  return docker(['network', 'inspect', '--format', '{{(index .IPAM.Config 0).Gateway}}', name], { signal });
}

/**
 * Removes every container, network and volume of a run, at work or not, and its name for the image.
 *
 * @throws UserError (exit code 3) that says what is left, and how to remove it
 */
export async function removeRun(runId: string): Promise<void> {
  const label = ['--filter', `label=${RUN_LABEL}=${runId}`];
  const kinds = [
    ...LABELLED.map((kind) => ({ ...kind, list: [...kind.list, '--quiet', ...label] })),
    // Without pruning: the layers below are the next build's cache.
    {
      name: 'image name',
      list: ['image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', '--filter', `reference=${runImage(runId)}`],
      remove: ['image', 'rm', '--no-prune'],
    },
  ];
  for (const { name, list, remove } of kinds) {
    const listed = () => runTool(['docker', ...list]);
    try {
      const found = await listed();
      if (found !== '') await runTool(['docker', ...remove, ...found.split('\n')]);
    } catch (cause) {
      // Another run may remove the same orphan: then its things are gone, or soon will be.
      await setTimeout(OTHERS_REMOVE_MS);
      if ((await listed().catch(() => null)) === '') continue;
      throw new Unavailable(
        `a ${name} of this run could not be removed (${lastLine((cause as Error).message)}); "docker ${list.join(' ')}" shows what is left, "docker ${remove.join(' ')}" with what it shows removes it`,
        { cause },
      );
    }
  }
}

/** Removes what runs left whose process was killed. Runs that are under way stay, and those that cannot be seen from here. */
export async function removeOrphans(): Promise<void> {
  const format = `{{.Label "${RUN_LABEL}"}} {{.Label "${OWNER_LABEL}"}}`;
  const pattern = new RegExp(`^(?<runId>\\S+) ${PROCESS_NAME}$`);
  const orphans = new Set<string>();
  for (const { list } of LABELLED) {
    const lines = await docker([...list, '--filter', `label=${OWNER_LABEL}`, '--format', format]);
    for (const line of lines.split('\n')) {
      const found = pattern.exec(line)?.groups;
      if (found !== undefined && standingOf(found) === 'gone') orphans.add(found.runId!);
    }
  }
  for (const runId of orphans) await removeRun(runId);
}

/** The first process of each container that runs for the run of this process (`lastingProcessName`), by its number on this machine. */
export async function rootProcessesOf(owner: string): Promise<number[]> {
  const ids = await docker(['ps', '--quiet', '--filter', `label=${OWNER_LABEL}=${owner}`]);
  if (ids === '') return [];
  const pids = await docker(['inspect', '--format', '{{.State.Pid}}', ...ids.split('\n')]);
  return pids
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Objects that are left of the run of this process (`lastingProcessName`), such as `container 3f2a4b5c6d7e`. */
export async function leftOf(owner: string): Promise<string[]> {
  const label = ['--quiet', '--filter', `label=${OWNER_LABEL}=${owner}`];
  const found = await Promise.all(
    LABELLED.map(async ({ name, list }) => {
      const ids = await docker([...list, ...label]);
      return ids === '' ? [] : ids.split('\n').map((id) => `${name} ${id}`);
    }),
  );
  return found.flat();
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)!;
}

export interface ImageLayer {
  /** The folder that the Dockerfile copies from. */
  folder: string;
  /** The Dockerfile's arguments, by name. */
  arguments: Readonly<Record<string, string>>;
  /** Changes with all that the layer adds. */
  digest: string;
}

/** Arguments of `docker` to build the layer onto an image, whose name what comes out has from then on. */
export function buildArguments(layer: ImageLayer, image: string): string[] {
  const given = { ...layer.arguments, BASE: image, DIGEST: layer.digest };
  const named = Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  return ['build', '--file', join(import.meta.dirname, 'layer.Dockerfile'), ...named, '--tag', image, layer.folder];
}
