/**
 * The costs of a unit of use to a framework's server, by what one block of a campaign measured: slopes over cells that differ in users,
 * readers or documents, and times of many users at once. From them the load that a machine is asked for.
 */
import { type Interval, interval95, type Line } from '../statistics/interval.ts';
import { meanOfKnown, onlyKnown } from '../statistics/quantile.ts';
import { type Block, sizesIn } from './block.ts';

/** The case that a machine is asked for: all of these type now and then, ten in each document. */
export const ACTIVE = { users: 1000, usersPerDocument: 10, keysPerSecond: 1 } as const;
/** As people who fill a core type. */
const WRITER_KEYS_PER_SECOND = 6;

/** The needs of a server with all of its users. */
export interface Load {
  cores: number;
  /** Of each process. */
  idleMiB: number;
  /** Of documents and connections, in however many processes. */
  heldMiB: number;
}

/** Tasks that carry a load. */
export interface Machine {
  /** Number, size, region and day of the price: `1 × 0.25 vCPU and 0.5 GB, on demand in …`. */
  title: string;
  dollarsAMonth: number;
  /** Of its cores, and of its memory, that are used then. */
  cpuShare: number;
  memoryShare: number;
}

/** Finds the cheapest machine; prices are no matter of the analysis. */
export type MachineFor = (load: Load) => Machine;

export interface UnitCost {
  /** Unique on a card: `update`, `joins-1000`. */
  name: string;
  label: string;
  unit: string;
  /** How it is got. */
  what: string;
  better: 'lower' | 'higher';
  /** One for each block; null: not known. */
  replicates: readonly (number | null)[];
  /** Over blocks; null: not known, or `isUntold`. Of dollars, those of the mean load. */
  mean: number | null;
  ci95: Interval | null;
  /** True if it is below what can be told: a server's memory comes and goes by itself by more than small things cost. */
  isUntold: boolean;
}

type CostKind = Pick<UnitCost, 'name' | 'label' | 'unit' | 'what'> & {
  /** Lower unless given. */
  better?: UnitCost['better'];
  /** NaN: it was measured, and is too small to be told. Null: it was not. */
  of(block: Block): number | null;
  /** The value over all blocks, where it is not the mean of theirs. */
  overall?: number | null;
};

const OWN_COSTS: readonly CostKind[] = [
  {
    name: 'update',
    label: 'server CPU per update',
    unit: 'µs',
    what: 'users type into one document without a browser; a straight line over the others who type too, where there are none',
    of: ({ update }) => update?.start ?? null,
  },
  {
    name: 'writer',
    label: 'server CPU per update and other writer',
    unit: 'µs',
    what: 'the slope of that line: each other gets the update, and types too',
    of: ({ update }) => update?.slope ?? null,
  },
  {
    name: 'reader',
    label: 'server CPU per update and reader',
    unit: 'µs',
    what: 'the same over people who only read, beside users of one number',
    of: ({ reader }) => reader?.slope ?? null,
  },
  {
    name: 'writers',
    label: `writers on one document per core, ${WRITER_KEYS_PER_SECOND} keys a second each`,
    unit: 'users',
    what: 'by the first two: so many that the server takes a whole core; not told if in one block another writer costs nothing',
    better: 'higher',
    of: ({ update }) => writersPerCore(update),
  },
];

function stormCosts(edits: number, users: number): CostKind[] {
  const figure = (way: string, name: string, block: Block) => block.figure('storm', name, { way, edits, users });
  const seconds = (milliseconds: number | null) => (milliseconds === null ? null : milliseconds / 1000);
  /** When all users were there, those among them who are sockets too; null: not all were, or it is not known. */
  const allMs = (way: string, block: Block) => {
    const hasSockets = figure(way, 'socketUsers', block) !== null;
    const known = onlyKnown([figure(way, 'allBackMs', block), hasSockets ? figure(way, 'allSocketsBackMs', block) : 0]);
    return known.length < 2 ? null : Math.max(...known);
  };
  return [
    {
      name: `joins-${edits}`,
      label: `joins a second and core, ${edits} edits`,
      unit: 'joins/s',
      what: `${users} users open a document of so many edits at once: the users, divided by the server's CPU time; not told if not all came`,
      better: 'higher',
      of(block) {
        const cpuMs = figure('open', 'serverCpuMs', block);
        return cpuMs && allMs('open', block) !== null ? (1000 * users) / cpuMs : null;
      },
    },
    {
      name: `opened-${edits}`,
      label: `${users} users at once have opened ${edits} edits`,
      unit: 's',
      what: 'until all of them have it, and see one another type',
      of: (block) => seconds(allMs('open', block)),
    },
    {
      name: `back-${edits}`,
      label: `${users} dropped users are back, ${edits} edits`,
      unit: 's',
      what: 'the same of users whom a server dropped that keeps the document, with the pauses of their clients',
      of: (block) => seconds(allMs('drop', block)),
    },
  ];
}

/** @param sizes numbers of edits, from the fewest on */
function memoryCosts(sizes: readonly number[]): CostKind[] {
  const kibibytes = (memoryMiB: number | null) => (memoryMiB === null ? null : 1024 * memoryMiB);
  return [
    {
      name: 'idle',
      label: 'server without documents',
      unit: 'MiB',
      what: 'after a first document was opened and closed, garbage collected, as all that follow',
      of: (block) => block.figure('memory', 'idleMiB'),
    },
    {
      name: 'connection',
      label: 'an idle connection',
      unit: 'KiB',
      what: 'of users who open a document of the fewest edits, and do nothing',
      of: (block) => kibibytes(block.figure('memory', 'connectionMiB', { edits: sizes[0] })),
    },
    ...sizes.map(
      (edits): CostKind => ({
        name: `document-${edits}`,
        label: `an open document of ${edits} edits, with one connection`,
        unit: 'KiB',
        what: 'the slope of the server’s memory over numbers of open documents; of one number, from the idle server on',
        of: (block) => kibibytes(block.documentMiB(edits)),
      }),
    ),
    {
      name: 'document-mib',
      label: 'an open document for each MiB of its text',
      unit: 'MiB',
      what: 'the slope of an open document’s memory over its text',
      of: (block) => block.perTextMiB(sizes),
    },
  ];
}

/** Every unit cost, in the order of the card. @param blocks all of one framework */
export function unitCosts(blocks: readonly Block[], machineFor: MachineFor): UnitCost[] {
  const storms = blocks.flatMap((block) => block.cells('storm'));
  const users = Number(storms[0]?.parameters.users);
  const sizes = sizesIn(blocks.flatMap((block) => block.cells('memory')));
  const kinds = [
    ...OWN_COSTS,
    ...sizesIn(storms).flatMap((edits) => stormCosts(edits, users)),
    ...memoryCosts(sizes),
    {
      name: 'month',
      label: `${ACTIVE.users} active users on Fargate`,
      unit: '$ a month',
      what: `${ACTIVE.usersPerDocument} to a document of the most edits, ${ACTIVE.keysPerSecond} key a second each: the cheapest tasks that carry the mean of what the blocks ask for; the interval is of each block's own`,
      of: (block: Block) => machineOf([block], machineFor, sizes)?.dollarsAMonth ?? null,
      overall: machineOf(blocks, machineFor, sizes)?.dollarsAMonth ?? null,
    },
  ];
  return kinds.map(({ of, overall, better = 'lower', ...kind }: CostKind) => {
    const found = blocks.map(of);
    const replicates = found.map((value) => (Number.isNaN(value) ? null : value));
    const known = onlyKnown(replicates);
    const mean = overall === undefined ? meanOfKnown(known) : overall;
    // The mean of those blocks alone in which it could be told would not be that of all.
    const isUntold = found.some(Number.isNaN) || (mean !== null && mean <= 0);
    const pooled = isUntold ? { mean: null, ci95: null } : { mean, ci95: interval95(known, 'linear') };
    return { ...kind, better, replicates, ...pooled, isUntold };
  });
}

/** So many that the server takes a whole core: keys · w · (own + other · (w − 1)) = one second. NaN: another costs too little to be told. */
function writersPerCore(update: Line | null): number | null {
  if (update === null) return null;
  if (update.slope <= 0) return Number.NaN;
  const { start: own, slope: other } = update;
  const linear = own - other;
  return Math.floor((-linear + Math.sqrt(linear ** 2 + (4 * other * 1e6) / WRITER_KEYS_PER_SECOND)) / (2 * other));
}

/**
 * The machine for the case above, by the mean of what the blocks ask for; null: none knows every cost that it takes.
 *
 * @param sizes numbers of edits of the documents that were opened, in all blocks that are compared
 */
export function machineOf(
  blocks: readonly Block[],
  machineFor: MachineFor,
  sizes = sizesIn(blocks.flatMap((block) => block.cells('memory'))),
): Machine | null {
  const needs = onlyKnown(blocks.map((block) => needsIn(block, sizes)));
  if (needs.length === 0) return null;
  // A server's memory comes and goes by itself, which may hide a cost in one block, and none is below nothing.
  const mean = (of: keyof Needs) => Math.max(0, meanOfKnown(needs.map((need) => need[of]))!);
  const documents = ACTIVE.users / ACTIVE.usersPerDocument;
  return machineFor({
    cores: mean('cores'),
    idleMiB: mean('idleMiB'),
    // A document's memory has its first connection in it.
    heldMiB: (ACTIVE.users - documents) * mean('connectionMiB') + documents * mean('documentMiB'),
  });
}

interface Needs {
  cores: number;
  idleMiB: number;
  /** Each. */
  connectionMiB: number;
  documentMiB: number;
}

function needsIn(block: Block, sizes: readonly number[]): Needs | null {
  const { users, usersPerDocument, keysPerSecond } = ACTIVE;
  const { update } = block;
  const idleMiB = block.figure('memory', 'idleMiB');
  const connectionMiB = block.figure('memory', 'connectionMiB', { edits: sizes[0] });
  const documentMiB = block.documentMiB(sizes.at(-1));
  if (update === null || idleMiB === null || connectionMiB === null || documentMiB === null) return null;
  const cores = (users * keysPerSecond * (update.start + update.slope * (usersPerDocument - 1))) / 1e6;
  return { cores, idleMiB, connectionMiB, documentMiB };
}
