/** The costs of a unit of use to a framework’s server, and the machine that a thousand users ask for: from the blocks of a campaign. */
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { US_PER_CPU_PERCENT } from '../../analysis/figures/resource-figures.ts';
import { fitLine } from '../../analysis/statistics/interval.ts';
import { CPU_UNITS_PER_VCPU, smallestTaskSize, type TaskSize } from '../../infra/fargate/plan/deployment.ts';
import { estimateCost } from '../../infra/fargate/plan/prices.ts';
import { experiment } from '../experiment/experiment.ts';

/** A cell of the campaign, with what each block found. */
export interface CapacityCell {
  /** Its parameters, among its figures over blocks. */
  summary: Readonly<Record<string, unknown>>;
  /** By figure, in the order of the blocks. */
  replicates: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The cells of the campaign's entries. */
export type CapacityCells = Readonly<Record<'typing' | 'storm' | 'memory', readonly CapacityCell[]>>;

export interface UnitCost {
  label: string;
  unit: string;
  /** One for each block; null: not known. */
  replicates: readonly (number | null)[];
}

/** The case that a machine is asked for: all of these type now and then, ten in each document. */
export const ACTIVE = { users: 1000, usersPerDocument: 10, keysPerSecond: 1 } as const;
export const PRICED_REGION = 'us-east-1';
const HOURS_A_MONTH = 730;
const HOUR_MS = 3_600_000;
/** One process of a server takes one core at most. More tasks than that asks for may be cheaper, each of a smaller size. */
const FURTHER_TASKS = 8;
/** The least CPU that a task can have. */
const LEAST_CPUS = 0.25;
const MIB = 2 ** 20;

/** As the campaign's users type. */
const KEYS_PER_SECOND = Number(experiment.properties.typing.properties.keysPerSecond!.default);

/** One block's figures. */
class Block {
  readonly #cells: CapacityCells;
  readonly #index: number;

  constructor(cells: CapacityCells, index: number) {
    this.#cells = cells;
    this.#index = index;
  }

  /** A figure of the entry's cell with these parameters; null: not known. */
  figure(entry: keyof CapacityCells, of: Readonly<Record<string, unknown>>, name: string): number | null {
    const cell = this.#cells[entry].find(({ summary }) => Object.entries(of).every(([key, is]) => summary[key] === is));
    return cell?.replicates[name]?.[this.#index] ?? null;
  }

  /** µs of server CPU for an update: by itself, and for each other who gets it. Null: fewer than two cells tell. */
  get update(): { own: number; reader: number } | null {
    const points = this.#cells.typing.flatMap(({ summary, replicates }) => {
      const at = (name: string) => replicates[name]?.[this.#index] ?? null;
      const [cpu, idle, typed] = [at('serverCpuPercent'), at('serverIdleCpuPercent'), at('throughputPercent')];
      const users = Number(summary.users);
      if (cpu === null || idle === null || !typed) return [];
      const updatesPerSecond = (users * KEYS_PER_SECOND * typed) / 100;
      const y = ((cpu - idle) * US_PER_CPU_PERCENT) / updatesPerSecond;
      // CPU is off by as much in a small cell as in a large one.
      return [{ x: users - 1, y, weight: updatesPerSecond ** 2 }];
    });
    const line = fitLine(points);
    return line && { own: line.start, reader: line.slope };
  }
}

/** Every unit cost, in the order of the card; and the machine by the first block that knows of all. */
export function unitCosts(cells: CapacityCells): { costs: UnitCost[]; machine: Machine | null } {
  const count = Math.max(0, ...Object.values(cells).flatMap((each) => each.map(blocksOf)));
  const blocks = Array.from({ length: count }, (_, index) => new Block(cells, index));
  const storm = (block: Block, way: string, edits: number, name: string) => block.figure('storm', { way, edits }, name);
  const users = Number(cells.storm[0]?.summary.users ?? 0);
  const cost = (label: string, unit: string, of: (block: Block) => number | null): UnitCost => ({
    ...{ label, unit },
    replicates: blocks.map(of),
  });
  const costs = [
    cost('server CPU per update', 'µs', ({ update }) => update?.own ?? null),
    cost('server CPU per update and reader', 'µs', ({ update }) => update?.reader ?? null),
    cost(`writers on one document per core, ${KEYS_PER_SECOND} keys a second each`, 'users', ({ update }) =>
      writersPerCore(update),
    ),
    ...sizesIn(cells.storm).flatMap((edits) => [
      cost(`joins a second and core, ${edits} edits`, 'joins/s', (block) => {
        const cpuMs = storm(block, 'open', edits, 'serverCpuMs');
        return cpuMs ? (1000 * users) / cpuMs : null;
      }),
      cost(`${users} users at once have opened ${edits} edits`, 's', (block) =>
        scaled(storm(block, 'open', edits, 'allBackMs'), 1 / 1000),
      ),
      cost(`${users} dropped users are back, ${edits} edits`, 's', (block) =>
        scaled(storm(block, 'drop', edits, 'allBackMs'), 1 / 1000),
      ),
    ]),
    cost('server without documents', 'MiB', (block) => block.figure('memory', {}, 'idleMiB')),
    cost('an idle connection', 'KiB', (block) => scaled(connectionMiB(block, sizesIn(cells.memory)), 1024)),
    ...sizesIn(cells.memory).map((edits) =>
      cost(`an open document of ${edits} edits, with one connection`, 'KiB', (block) =>
        scaled(block.figure('memory', { edits }, 'documentMiB'), 1024),
      ),
    ),
    cost('an open document for each MiB of its text', 'MiB', (block) => perTextMiB(block, sizesIn(cells.memory))),
    cost(
      `${ACTIVE.users} active users on Fargate`,
      '$ a month',
      (block) => machineFor(block, sizesIn(cells.memory))?.dollars ?? null,
    ),
  ];
  const machines = blocks.map((block) => machineFor(block, sizesIn(cells.memory)));
  return { costs, machine: machines.find((machine) => machine !== null) ?? null };
}

/** Different numbers of edits, from the fewest on. */
function sizesIn(cells: readonly CapacityCell[]): number[] {
  return [...new Set(cells.map(({ summary }) => Number(summary.edits)))].sort((a, b) => a - b);
}

function blocksOf({ replicates }: CapacityCell): number {
  return Math.max(0, ...Object.values(replicates).map(({ length }) => length));
}

function scaled(value: number | null, by: number): number | null {
  return value === null ? null : value * by;
}

/** So many that the server takes a whole core: keys · w · (own + reader · (w − 1)) = one second. */
function writersPerCore(update: { own: number; reader: number } | null): number | null {
  if (update === null || update.reader <= 0) return null;
  const { own, reader } = update;
  const linear = own - reader;
  return Math.floor((-linear + Math.sqrt(linear ** 2 + (4 * reader * 1e6) / KEYS_PER_SECOND)) / (2 * reader));
}

/** Of the document with the fewest edits. */
function connectionMiB(block: Block, [edits]: readonly number[]): number | null {
  return block.figure('memory', { edits }, 'connectionMiB');
}

/** Memory that a longer document takes more, for each MiB that its text has more. */
function perTextMiB(block: Block, sizes: readonly number[]): number | null {
  const of = (edits: number | undefined, name: string) => block.figure('memory', { edits }, name);
  const [short, long] = [sizes[0], sizes.at(-1)];
  const [from, to] = [of(short, 'documentMiB'), of(long, 'documentMiB')];
  const [fewer, more] = [of(short, 'characters'), of(long, 'characters')];
  if (from === null || to === null || fewer === null || more === null || more <= fewer) return null;
  return ((to - from) * MIB) / (more - fewer);
}

export interface Machine {
  tasks: number;
  size: TaskSize;
  dollars: number;
  /** Of its cores, and of its memory, that are used then. */
  cpuShare: number;
  memoryShare: number;
}

/**
 * The cheapest tasks for the case above, with neither CPU nor memory over 60 % used: bursts need the one, and garbage, which is
 * in no cost, the other. Null: a cost is not known.
 */
function machineFor(block: Block, sizes: readonly number[]): Machine | null {
  const { users, usersPerDocument, keysPerSecond } = ACTIVE;
  const { update } = block;
  const idleMiB = block.figure('memory', {}, 'idleMiB');
  const perConnectionMiB = connectionMiB(block, sizes);
  const perDocumentMiB = block.figure('memory', { edits: sizes.at(-1) }, 'documentMiB');
  if (update === null || idleMiB === null || perConnectionMiB === null || perDocumentMiB === null) return null;
  const microseconds = users * keysPerSecond * (update.own + update.reader * (usersPerDocument - 1));
  const cores = Math.max(0, microseconds) / 1e6;
  const memoryMiB = users * Math.max(0, perConnectionMiB) + (users / usersPerDocument) * Math.max(0, perDocumentMiB);
  const cpus = (100 * cores) / BUSY_MACHINE_PERCENT;
  const least = Math.max(1, Math.ceil(cpus));
  const machines = Array.from({ length: FURTHER_TASKS }, (_, further): Machine => {
    const tasks = least + further;
    const heldMiB = idleMiB + memoryMiB / tasks;
    const neededMiB = Math.ceil((100 * heldMiB) / BUSY_MACHINE_PERCENT);
    const size = smallestTaskSize({ cpus: Math.max(LEAST_CPUS, cpus / tasks), memoryMiB: neededMiB }, 'a server');
    const time = { region: PRICED_REGION, size, spot: false, durationMs: HOURS_A_MONTH * HOUR_MS, tasks };
    return {
      ...{ tasks, size, dollars: estimateCost([time]).onDemandDollars },
      cpuShare: cores / tasks / (size.cpuUnits / CPU_UNITS_PER_VCPU),
      memoryShare: heldMiB / size.memoryMiB,
    };
  });
  return machines.reduce((cheapest, machine) => (machine.dollars < cheapest.dollars ? machine : cheapest));
}
