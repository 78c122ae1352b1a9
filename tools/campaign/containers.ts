/** The containers of a run on Docker Compose: the processes in them, which this machine sees, and the run's remains. */
import { leftOf, rootProcessesOf } from '../../infra/compose/docker.ts';

/** Containers come and go within seconds. */
const PERIOD_MS = 300;

export interface WatchedContainers extends Disposable {
  /** The first process of each, by the number that it has on this machine. */
  pids(): readonly number[];
}

/** Of a subject without any. */
export const NO_CONTAINERS: WatchedContainers = { pids: () => [], [Symbol.dispose]() {} };

/** @param owner the process of the command whose run it is */
export function watchContainers(owner: number): WatchedContainers {
  let pids: readonly number[] = [];
  let isOver = false;
  const look = async () => {
    // Between two answers of the engine's a container may have gone.
    pids = await rootProcessesOf(owner).catch(() => pids);
    if (!isOver) timer = setTimeout(look, PERIOD_MS);
  };
  let timer = setTimeout(look, PERIOD_MS);
  return {
    pids: () => pids,
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Containers, networks and volumes that these commands' runs left behind, in words. */
export async function leftByRuns(owners: readonly number[]): Promise<string[]> {
  return (await Promise.all(owners.map(leftOf))).flat();
}
