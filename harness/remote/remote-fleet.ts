/** The fleet of the coordinator's container: the user tasks of all regions, and the server next door. */
import type { Fleet, FleetNetwork } from '../../infra/fleet.ts';
import type { Dispatcher, Wanted } from '../../infra/workers/dispatcher.ts';

/** In the task of server and coordinator, both share the loopback interface. */
const NEXT_DOOR = '127.0.0.1';

/**
 * @param options.regions the region of each user, by number
 */
export function remoteFleet(options: {
  dispatcher: Dispatcher;
  publicAddress: string;
  ports: { coordinator: number; server: number };
  regions: readonly string[];
}): Fleet {
  const { dispatcher, publicAddress, ports, regions } = options;
  const network: FleetNetwork = {
    coordinator: { listensOn: '0.0.0.0', port: ports.coordinator, reachedAt: publicAddress },
    server: { listensOn: '0.0.0.0', port: ports.server },
  };
  const fleet = dispatcher.fleet({
    network,
    addressOf: ({ role, address }) => (role === 'server' ? publicAddress : address),
  });
  let users = 0;
  return {
    network,
    stop: () => fleet.stop(),
    launch(job) {
      if (job.name !== 'server') return fleet.launch({ ...job, group: regions[users++] });
      // A task does not let itself in by its public address.
      const environment = Object.entries(job.environment).map(([name, value]) => [
        name,
        value.replace(`//${publicAddress}:`, `//${NEXT_DOOR}:`),
      ]);
      return fleet.launch({ ...job, environment: Object.fromEntries(environment) });
    },
  };
}

/** The workers that a trial with these users needs. */
export function wantedWorkers(regions: readonly string[]): Wanted[] {
  const users = [...Map.groupBy(regions, (region) => region)];
  return [
    { role: 'server', count: 1 },
    ...users.map(([group, here]): Wanted => ({ role: 'users', group, count: here.length })),
  ];
}
