/** Docker as this project uses it: found, asked, and cleared of what a run made. */
import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { UserError } from '../../results/user-error.ts';
import { isAlive } from '../is-alive.ts';

/** How much of what a command says is enough to see why it failed. */
const LAST_WORDS_CHARACTERS = 2000;

/** On everything that a run makes: the run's id, and the process that it belongs to. */
const RUN_LABEL = 'scriptorium.run';
const OWNER_LABEL = 'scriptorium.owner';

/** Kinds of things that a run makes, in the order in which they can be removed. */
const KINDS = [
  { name: 'container', list: ['ps', '--all'], remove: ['rm', '--force', '--volumes'] },
  { name: 'network', list: ['network', 'ls'], remove: ['network', 'rm'] },
  { name: 'volume', list: ['volume', 'ls'], remove: ['volume', 'rm'] },
] as const;

export interface Engine {
  /** `docker compose`, or `docker-compose`. */
  compose: readonly string[];
  cores: number;
  memoryMiB: number;
}

/**
 * Runs a command to its end.
 *
 * @returns what it printed on stdout, without white space around it
 * @throws Error with its last words where it fails or is not there, and the signal's reason where that aborts
 */
export async function run(
  [program, ...args]: readonly string[],
  options: { environment?: NodeJS.ProcessEnv; signal?: AbortSignal } = {},
): Promise<string> {
  const { environment, signal } = options;
  signal?.throwIfAborted();
  const child = spawn(program!, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
    detached: true,
  });
  const kill = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', kill);
  let printed = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    said = (said + text).slice(-LAST_WORDS_CHARACTERS);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-LAST_WORDS_CHARACTERS);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => signal?.removeEventListener('abort', kill));
  signal?.throwIfAborted();
  if (code === 0) return printed.trim();
  throw new Error(said.trim() || `it ended with exit code ${code}`);
}

/**
 * Finds Docker's engine and Compose.
 *
 * @throws UserError (exit code 3) that says which of them is missing
 */
export async function findEngine(signal: AbortSignal): Promise<Engine> {
  const INSTEAD = 'or run without containers, --on local';
  const info = await run(['docker', 'info', '--format', '{{.NCPU}} {{.MemTotal}}'], { signal }).catch((cause) => {
    signal.throwIfAborted();
    throw new UserError(
      cause.code === 'ENOENT'
        ? `there is no docker on this machine; install Docker Engine or Docker Desktop, ${INSTEAD}`
        : `Docker's engine cannot be reached (${lastLine(cause)}); start it, or let this account use it, ${INSTEAD}`,
      { exitCode: 3, cause },
    );
  });
  const [cores = 0, memoryBytes = 0] = lastLine(new Error(info)).split(' ').map(Number);
  for (const compose of [['docker', 'compose'], ['docker-compose']]) {
    const isThere = await run([...compose, 'version'], { signal }).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
    if (isThere) return { compose, cores, memoryMiB: memoryBytes / 2 ** 20 };
  }
  throw new UserError(
    `there is neither "docker compose" nor "docker-compose" on this machine; install Docker Compose, ${INSTEAD}`,
    { exitCode: 3 },
  );
}

/** Who owns what a run makes: this process, on this host. */
export function ownerLabel(): string {
  return `${hostname()}:${process.pid}`;
}

/** Makes a network of the run's own. @returns the address that this machine has in it, as the engine says */
export async function createNetwork(options: { name: string; runId: string; signal: AbortSignal }): Promise<string> {
  const { name, runId, signal } = options;
  const labels = ['--label', `${RUN_LABEL}=${runId}`, '--label', `${OWNER_LABEL}=${ownerLabel()}`];
  await run(['docker', 'network', 'create', ...labels, name], { signal });
  return run(['docker', 'network', 'inspect', '--format', '{{(index .IPAM.Config 0).Gateway}}', name], { signal });
}

/**
 * Removes every container, network and volume of a run, at work or not.
 *
 * @throws UserError (exit code 3) that says what is left, and how to remove it
 */
export async function removeRun(runId: string): Promise<void> {
  for (const { name, list, remove } of KINDS) {
    const filter = ['--filter', `label=${RUN_LABEL}=${runId}`];
    try {
      const ids = await run(['docker', ...list, '--quiet', ...filter]);
      if (ids !== '') await run(['docker', ...remove, ...ids.split('\n')]);
    } catch (cause) {
      const look = ['docker', ...list, ...filter].join(' ');
      throw new UserError(
        `a ${name} of this run could not be removed (${lastLine(cause)}); "${look}" shows what is left, "docker ${remove.join(' ')} ID" removes it`,
        { exitCode: 3, cause },
      );
    }
  }
}

/** Removes what runs left whose process on this machine was killed. Runs that are under way stay. */
export async function removeOrphans(): Promise<void> {
  const format = `{{.Label "${RUN_LABEL}"}} {{.Label "${OWNER_LABEL}"}}`;
  const orphans = new Set<string>();
  for (const { list } of KINDS) {
    const lines = await run(['docker', ...list, '--filter', `label=${OWNER_LABEL}`, '--format', format]);
    for (const line of lines.split('\n')) {
      const [, runId, host, pid] = /^(\S+) (\S+):(\d+)$/.exec(line) ?? [];
      if (runId !== undefined && host === hostname() && !isAlive(Number(pid))) orphans.add(runId);
    }
  }
  for (const runId of orphans) await removeRun(runId);
}

export function lastLine(error: unknown): string {
  const { message } = error as Error;
  return message.trim().split('\n').at(-1) ?? message;
}
