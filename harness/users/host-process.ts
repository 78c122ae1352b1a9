/** A process that hosts users of a trial: its arguments, their connections to the coordinator, and its share of a busy CPU. */
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { messageOf } from '../../results/user-error.ts';
import { type ControlConnection, connectToCoordinator, endUnconnected } from '../trial/control-connection.ts';
import { CONTROL_URL_VARIABLE, FOREIGN_VARIABLE, type ForeignServer, foreignServer } from '../trial/protocol.ts';

/** The arguments that every such process takes, for `parseArgs`. */
export const HOST_OPTIONS = {
  framework: { type: 'string' },
  mode: { type: 'string' },
  first: { type: 'string', default: '0' },
  users: { type: 'string', default: '1' },
} as const;

/** The users of this process, connected. */
export interface Host {
  framework: string;
  /** The number of the first. */
  first: number;
  controlUrl: string;
  /** The server that they go to, if somebody else runs it. */
  foreign: ForeignServer | null;
  /** One of each user, by number. */
  controls: readonly ControlConnection[];
  /** Closes all connections; signals that end the process do so too. */
  close(): void;
}

/** @throws Error if an argument or the coordinator's address is missing; ends the process if it cannot connect */
export async function connectHost(values: { framework?: string; first: string; users: string }): Promise<Host> {
  const controlUrl = process.env[CONTROL_URL_VARIABLE];
  if (controlUrl === undefined) throw new Error(`${CONTROL_URL_VARIABLE} must hold the coordinator's address`);
  if (values.framework === undefined) throw new Error('--framework must name the framework of the users');
  const first = Number(values.first);
  const connect = (_: unknown, index: number) => connectToCoordinator({ url: controlUrl, user: first + index });
  const controls = await Promise.all(Array.from({ length: Number(values.users) }, connect)).catch(endUnconnected);
  const close = () => {
    for (const control of controls) control.close();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, close);
  const way = process.env[FOREIGN_VARIABLE];
  const foreign = way === undefined ? null : foreignServer.parse(JSON.parse(way));
  return { framework: values.framework, first, controlUrl, foreign, controls, close };
}

/**
 * Hosts users who are sockets: before others, as their computers are their own. The coordinator is told if that fails.
 *
 * @param values as of `connectHost`
 */
export async function hostSockets(
  values: Parameters<typeof connectHost>[0],
  work: (host: Host) => Promise<void>,
): Promise<void> {
  const host = await connectHost(values);
  try {
    putBeforeOthers({ steps: CROWD_STEPS });
    await work(host);
  } catch (error) {
    for (const control of host.controls) control.send({ type: 'failed', message: messageOf(error) });
    host.close();
    process.exitCode = 1;
  }
}

/** Three times the share of a process beside it (the kernel gives 1.25 times as much for each step). */
const DRIVER_STEPS = 5;
/** Users who are the load for others have computers of their own: nothing that is measured may make them wait. */
export const CROWD_STEPS = 19;
/** Where Linux groups processes by session, shares are between sessions first: Chrome is in one of its own. */
const SESSION = '/proc/self/autogroup';

/**
 * Puts this process before others, where its account may: root, or with CAP_SYS_NICE. Call it after Chrome was started, for
 * children inherit it.
 *
 * @param options.steps of nice value; as a driver of measured users unless told otherwise
 * @param options.set for tests
 * @returns its nice value then, which its record tells
 */
export function putBeforeOthers({
  steps = DRIVER_STEPS,
  set = setPriority,
}: {
  steps?: number;
  set?: (priority: number) => void;
} = {}): number {
  const wanted = getPriority() - steps;
  try {
    set(wanted);
    writeFileSync(SESSION, String(wanted));
  } catch {
    // Without the right it is as it was; and not every kernel has such groups.
  }
  return getPriority();
}
