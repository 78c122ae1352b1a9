/** The fleet of workers that someone else starts, wherever they are: this process only waits for them to come. */
import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import * as z from 'zod';
import { Unavailable } from '../../results/user-error.ts';
import { SILENCE_MS } from '../channel/channel.ts';
import type { FleetNetwork, Need, RunFleet } from '../fleet.ts';
import { hostOf, portOf } from '../network/line-target.ts';
import type { Worker } from './connected-worker.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';
import type { Role } from './protocol.ts';

/** Workers look for the dispatcher at most this long, so whoever is not here by then will not come. */
const COME_LIMIT_MS = SILENCE_MS;
/** How long workers may take to go when the run is over: none has a job then. */
export const GO_LIMIT_MS = 5000;

const settingsSchema = z.object({
  SCRIPTORIUM_DISPATCHER: z.url({ protocol: /^ws$/ }).transform((text) => new URL(text)),
  SCRIPTORIUM_TOKEN: z.string().min(16),
  /**
   * The interface to wait on, if workers come from afar to a public address that is not this machine's own. Then they are reached
   * where they come from, and coordinator and server take the next two ports.
   */
  SCRIPTORIUM_LISTEN: z.string().optional(),
  /** The end of all workers, set by one that watches them itself: they are waited for until then. */
  SCRIPTORIUM_DEADLINE: z.iso.datetime().optional(),
});

/**
 * A server in a container listens on all that the container has; the container's network decides who reaches it. Its worker came to
 * the coordinator's address, by IPv6 only if that is one.
 */
export function remoteNetwork(coordinatorHost: { listensOn: string; reachedAt: string }): FleetNetwork {
  const listensOn = isIPv6(coordinatorHost.listensOn) ? '::' : '0.0.0.0';
  return { coordinator: { ...coordinatorHost, port: 0 }, server: { listensOn, port: 0 } };
}

/**
 * Listens on the address that the workers are given too, `SCRIPTORIUM_DISPATCHER`, for those that know `SCRIPTORIUM_TOKEN`.
 *
 * @throws UserError (exit code 3) if the environment lacks one of them, or nothing can listen there
 */
export async function openWorkersFleet(options: {
  say: (text: string) => void;
  signal: AbortSignal;
}): Promise<RunFleet> {
  const { say, signal } = options;
  const settings = settingsSchema.safeParse(process.env);
  if (!settings.success) {
    const names = settings.error.issues.map(({ path }) => path[0]).join(' and ');
    throw new Unavailable(
      `the workers fleet needs ${names}: set SCRIPTORIUM_DISPATCHER to the address on which this machine is to wait for workers, such as ws://192.168.0.1:7070, and SCRIPTORIUM_TOKEN to a secret of at least 16 characters; give both to each \`node infra/workers/main.ts\` too`,
    );
  }
  const { SCRIPTORIUM_DISPATCHER: url, SCRIPTORIUM_TOKEN: token, SCRIPTORIUM_LISTEN: listen } = settings.data;
  const name = listen ?? hostOf(url);
  // A name that is unknown is told of by who listens there.
  const host = await lookup(name).then(
    ({ address }) => address,
    () => name,
  );
  const port = portOf(url);
  const refused = new Set<string>();
  const onRefused = (address: string) => {
    if (!refused.has(address))
      say(`Refused ${address}: it has another SCRIPTORIUM_TOKEN, or another version of Scriptorium`);
    refused.add(address);
  };
  const dispatcher = await startDispatcher({ host, port, token, onRefused }).catch((cause) => {
    const problem = `cannot wait for workers at ${url.host} (${cause.code ?? cause.message})`;
    throw new Unavailable(`${problem}; set SCRIPTORIUM_DISPATCHER to an address of this machine and a free port`, {
      cause,
    });
  });
  const network = remoteNetwork({ listensOn: host, reachedAt: url.hostname });
  const afar = {
    network: { coordinator: { ...network.coordinator, port: port + 1 }, server: { ...network.server, port: port + 2 } },
    addressOf: ({ seenAt }: Worker) => seenAt,
  };
  const untilMs = Date.parse(settings.data.SCRIPTORIUM_DEADLINE ?? '');
  const comeLimitMs = () => (Number.isNaN(untilMs) ? COME_LIMIT_MS : Math.max(0, untilMs - Date.now()));
  return {
    ...dispatcher.fleet(listen === undefined ? { network } : afar),
    chrome: null,
    ready: (needs) => untilReady({ dispatcher, needs, limitMs: comeLimitMs(), say, signal }),
    async close() {
      await dispatcher.dismiss(GO_LIMIT_MS);
      await dispatcher.close();
    },
  };
}

/**
 * Waits until each need can be met by idle workers.
 *
 * @throws UserError (exit code 3) that says who is missing, and the signal's reason
 */
export async function untilReady(options: {
  dispatcher: Dispatcher;
  needs: readonly Need[];
  limitMs: number;
  say: (text: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { dispatcher, needs, limitMs, say, signal } = options;
  const wanted = needs.map(({ name, group, count }) => ({ role: name as Role, group, count }));
  const missing = () =>
    wanted
      .filter((each) => dispatcher.shortfall(each) > 0)
      .map((each) => {
        const where = each.group === undefined ? '' : ` in ${each.group}`;
        return `${each.count - dispatcher.shortfall(each)} of ${each.count} "${each.role}"${where}`;
      })
      .join(', ');
  if (missing() === '') return;
  say(`Waiting for containers; here: ${missing()}`);
  const limit = AbortSignal.timeout(limitMs);
  await dispatcher.untilIdle(wanted, AbortSignal.any([signal, limit])).catch((error) => {
    if (error !== limit.reason) throw error;
    throw new Unavailable(
      `too few containers came within ${Math.round(limitMs / 1000)} s: ${missing()}; start those that are missing (agents and readers take some beside the users), or make sure that they reach this machine`,
    );
  });
}
