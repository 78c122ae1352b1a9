/**
 * The fleet of containers on this machine: Docker Compose starts as many as a trial needs, of the size that it needs, and
 * in each a worker waits for work. The harness stays outside, and listens on its address in the run's own network only.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lastingProcessName } from '../../results/run-folder/process-name.ts';
import { clearUpAfter, Unavailable } from '../../results/user-error.ts';
import { redact } from '../channel/token.ts';
import type { Need, RunFleet } from '../fleet.ts';
import { runTool } from '../process/child.ts';
import { type Dispatcher, startDispatcher } from '../workers/dispatcher.ts';
import { GO_LIMIT_MS, remoteNetwork, untilReady } from '../workers/workers-fleet.ts';
import {
  buildArguments,
  createNetwork,
  docker,
  findEngine,
  IMAGE,
  type ImageLayer,
  LAYERED_IMAGE,
  removeOrphans,
  removeRun,
  runImage,
} from './docker.ts';
import { checkSizes, differingLimits, serviceOf, sizeVariables } from './sizes.ts';

/** `Chromium 156.0.8000.1`, without what Debian adds. */
const VERSION = /\S+ \d+(\.\d+)+/;
/** A container takes about a second to start, more if many start at once. */
const START_LIMIT_MS = 60_000;
const START_LIMIT_PER_CONTAINER_MS = 2000;
/** How Docker Desktop, whose networks are in a virtual machine, calls this machine's loopback interface. */
const DESKTOP_HOST = 'host.docker.internal';

/**
 * Builds the image, and opens the run's network and dispatcher. Containers start with `ready`, and stay for the next trial
 * if that needs the same size.
 *
 * @param options.layer  the run's needs beside the project; null: none
 * @param options.trials the needs of each trial of the run
 * @throws UserError (exit code 3) if Docker is missing, cannot build the image, or the machine is too small for a
 *         container
 */
export async function openComposeFleet(options: {
  layer: ImageLayer | null;
  trials: readonly (readonly Need[])[];
  say: (text: string) => void;
  signal: AbortSignal;
}): Promise<RunFleet> {
  const { layer, trials, say, signal } = options;
  const engine = await findEngine(signal);
  for (const warning of checkSizes(trials, engine)) say(warning);
  await removeOrphans();
  const file = (name: string) => ['--file', join(import.meta.dirname, name)];
  const compose = [...engine.compose, ...file('compose.yaml')];
  const runId = randomBytes(4).toString('hex');
  const project = `scriptorium-${runId}`;
  const image = runImage(runId);
  let dispatcher: Dispatcher | null = null;
  const close = async () => {
    await dispatcher?.dismiss(GO_LIMIT_MS);
    await dispatcher?.close();
    await removeRun(runId);
  };
  try {
    // First: by its labels the next run finds this one, also if it is killed while it builds.
    const gateway = await createNetwork({ name: project, runId, signal });
    await buildImage({ compose, image, layer, say, signal });
    const chrome = await docker(['run', '--rm', image, 'chromium', '--version'], { signal });
    const { dispatcher: opened, host } = await listenForWorkers(gateway);
    dispatcher = opened;
    const inNetwork = [...compose, ...file('own-network.yaml'), '--project-name', project];
    const environment = {
      SCRIPTORIUM_IMAGE: image,
      SCRIPTORIUM_RUN: runId,
      SCRIPTORIUM_OWNER: lastingProcessName(),
      SCRIPTORIUM_NETWORK: project,
      SCRIPTORIUM_DISPATCHER: `ws://${host.reachedAt}:${opened.port}`,
      SCRIPTORIUM_TOKEN: opened.token,
    };
    return {
      ...opened.fleet({ network: remoteNetwork(host) }),
      chrome: VERSION.exec(chrome)?.[0] ?? chrome,
      ready: (needs) => startContainers({ compose: inNetwork, environment, dispatcher: opened, needs, say, signal }),
      close,
    };
  } catch (error) {
    return clearUpAfter(error, { clearUp: close, say });
  }
}

/** Brings containers up or down to what a trial needs, and waits until their workers have come. */
async function startContainers(options: {
  compose: readonly string[];
  environment: Record<string, string>;
  dispatcher: Dispatcher;
  needs: readonly Need[];
  say: (text: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { compose, dispatcher, needs, say, signal } = options;
  const containers = needs.reduce((sum, { count }) => sum + count, 0);
  const scale = needs.flatMap(({ name, count }) => ['--scale', `${serviceOf(name)}=${count}`]);
  const services = needs.map(({ name }) => serviceOf(name));
  const environment = { ...process.env, ...options.environment, ...sizeVariables(needs) };
  say(`Starting ${containers} containers`);
  const up = ['up', '--detach', '--no-build', '--no-deps', ...scale, ...services];
  await runTool([...compose, ...up], { environment, signal }).catch((cause) => {
    signal.throwIfAborted();
    const words = redact(cause.message, dispatcher.token);
    throw new Unavailable(`the containers could not be started:\n${words}`);
  });
  const limitMs = START_LIMIT_MS + containers * START_LIMIT_PER_CONTAINER_MS;
  await untilReady({ dispatcher, needs, limitMs, say: () => {}, signal });
  const differing = differingLimits(needs, dispatcher.workers);
  if (differing !== null) throw new Unavailable(differing);
}

/**
 * Builds the image anew if anything in it changed, with the run's needs beside the project.
 *
 * @throws UserError (exit code 3) with Docker's own words
 */
async function buildImage(options: {
  compose: readonly string[];
  image: string;
  layer: ImageLayer | null;
  say: (text: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { compose, image, layer, say, signal } = options;
  const build = (command: readonly string[], failure: string) =>
    runTool(command, { environment: { ...process.env, SCRIPTORIUM_IMAGE: image }, signal }).catch((cause) => {
      signal.throwIfAborted();
      throw new Unavailable(`${failure}:\n${cause.message}`, { cause });
    });
  say('Building the image; the first time that takes about a minute');
  await build([...compose, 'build', 'coordinator'], 'the image could not be built');
  // A name that stays when the run's own goes: so the next build finds what it can use again.
  await docker(['tag', image, IMAGE], { signal });
  // Earlier images of this project, which the new one has replaced. The engine does that once at a time; the next run does it, too.
  await docker(['image', 'prune', '--force', '--filter', 'label=scriptorium.image'], { signal }).catch(() => {
    signal.throwIfAborted();
  });
  if (layer === null) return;
  say('Adding to the image what frameworks take beside the project');
  await build(['docker', ...buildArguments(layer, image)], 'the frameworks could not be added to the image');
  await docker(['tag', image, LAYERED_IMAGE], { signal });
}

/**
 * Listens on the address that this machine has in the containers' network. With Docker Desktop that address is a virtual
 * machine's: then on the loopback interface, which containers reach by a name.
 */
async function listenForWorkers(
  gateway: string,
): Promise<{ dispatcher: Dispatcher; host: { listensOn: string; reachedAt: string } }> {
  try {
    return { dispatcher: await startDispatcher({ host: gateway }), host: { listensOn: gateway, reachedAt: gateway } };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw error;
    const host = { listensOn: '127.0.0.1', reachedAt: DESKTOP_HOST };
    return { dispatcher: await startDispatcher({ host: host.listensOn }), host };
  }
}
