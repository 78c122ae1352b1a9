/** Folders of a run that faults are done to, with what some of the faults need there. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { makeCheckout, tryNamespace } from './beside.ts';
import { mountDisk, removeDisk, succeeds } from './disk.ts';

/** Each with what the machine must have for it. */
const NEEDS = {
  disk: { takes: 'root, mkfs.ext4 and loop devices', make: ({ disk }: Places) => mountDisk(disk) },
  checkout: {
    takes: 'git, and node_modules on the disk of temporary files',
    make: ({ project }: Places) => makeCheckout(project),
  },
  namespace: { takes: 'unshare, and the right to use it', make: tryNamespace },
} as const;
export type Need = keyof typeof NEEDS;

export interface Places {
  folder: string;
  experiment: string;
  disk: string;
  /** The run's own folder, on the disk. */
  run: string;
  /** In which processes find orders. */
  orders: string;
  /** For temporary files. Short: Chrome makes a socket below it, whose path holds 107 characters at most. */
  temporary: string;
  /** The project that runs: a checkout of its own, if that is needed. */
  project: string;
}

/** @returns the folders, which are there, and of needs that this machine cannot meet, what they take */
export async function makePlaces(needs: ReadonlySet<Need>): Promise<{ places: Places; lacks: Map<Need, string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'f-'));
  const disk = join(folder, 'disk');
  const places: Places = {
    ...{ folder, experiment: join(folder, 'experiment.yaml'), disk, run: join(disk, 'run') },
    ...{ orders: join(folder, 'orders'), temporary: join(folder, 't'), project: join(folder, 'project') },
  };
  const lacks = new Map<Need, string>();
  for (const need of needs) {
    const { make, takes } = NEEDS[need];
    if (!(await succeeds(make(places)))) lacks.set(need, takes);
  }
  if (!needs.has('checkout') || lacks.has('checkout')) places.project = PROJECT_ROOT;
  for (const each of [disk, places.orders, places.temporary]) await mkdir(each, { recursive: true });
  return { places, lacks };
}

export async function removePlaces({ folder, disk }: Places): Promise<void> {
  await removeDisk(disk);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
