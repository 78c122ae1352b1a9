/**
 * The costs of a unit of use to a framework's server, by what one block of a campaign measured: slopes over cells that differ in users,
 * readers or documents, and times of many users at once. From them the load that a machine is asked for.
 */
import type { ScenarioName } from '../../results/formats/documents.ts';
import { readersIn } from '../../results/formats/run-directory.ts';
import { EDIT_RATE } from '../figures/company-figures.ts';
import { US_PER_CPU_PERCENT } from '../figures/resource-figures.ts';
import type { Cell, MeasuredRun } from '../scenarios/cell.ts';
import { fitLine, type Interval, interval95, type Line } from '../statistics/interval.ts';
import { meanOfKnown, onlyKnown } from '../statistics/quantile.ts';

/** The case that a machine is asked for: all of these type now and then, ten in each document. */
export const ACTIVE = { users: 1000, usersPerDocument: 10, keysPerSecond: 1 } as const;
/** As people who fill a core type. */
const WRITER_KEYS_PER_SECOND = 6;
const MIB = 2 ** 20;

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
  /** Over blocks; null: not known, or `isUntold`. */
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
};

/** The valid cells of one framework in one block. */
export class Block {
  readonly #runs: readonly Pick<MeasuredRun, 'scenario' | 'cells'>[];

  /** @param runs of one block */
  constructor(runs: readonly MeasuredRun[], framework: string) {
    this.#runs = runs.map(({ scenario, cells }) => ({
      scenario,
      cells: cells.filter(({ parameters, validTrials }) => parameters.framework === framework && validTrials > 0),
    }));
  }

  /** Those with these parameters. */
  cells(scenario: ScenarioName, of: Readonly<Record<string, unknown>> = {}): Cell[] {
    return this.#runs
      .flatMap((run) => (run.scenario === scenario ? run.cells : []))
      .filter(({ parameters }) => Object.entries(of).every(([name, value]) => parameters[name] === value));
  }

  /** The mean of a figure over such cells; null: not known. */
  figure(scenario: ScenarioName, name: string, of: Readonly<Record<string, unknown>> = {}): number | null {
    return meanOfKnown(this.cells(scenario, of).map(({ figures }) => figures[name] ?? null));
  }

  /** µs of server CPU for an update, over the others who type too. Null: fewer than two numbers of users tell. */
  get update(): Line | null {
    const points = this.#updates().filter(({ readers }) => readers === 0);
    // CPU is off by as much in a small cell as in a large one.
    return fitLine(points.map(({ users, us, perSecond }) => ({ x: users - 1, y: us, weight: perSecond ** 2 })));
  }

  /** The same over the readers, of cells with as many users. */
  get reader(): Line | null {
    const points = this.#updates();
    const users = points.find(({ readers }) => readers > 0)?.users;
    return fitLine(points.filter((point) => point.users === users).map(({ readers, us }) => ({ x: readers, y: us })));
  }

  #updates(): { users: number; readers: number; us: number; perSecond: number }[] {
    return this.cells('typing').flatMap(({ parameters, figures }) => {
      const { serverCpuPercent: cpu = null, serverIdleCpuPercent: idle = null } = figures;
      const perSecond = figures[EDIT_RATE.name] ?? null;
      if (cpu === null || idle === null || !perSecond) return [];
      const us = ((cpu - idle) * US_PER_CPU_PERCENT) / perSecond;
      return [{ users: Number(parameters.users), readers: readersIn(String(parameters.mode)), us, perSecond }];
    });
  }

  /** MiB for each open document of so many edits. */
  documentMiB(edits: number | undefined): number | null {
    const cells = this.cells('memory', { edits });
    const at = (documents: number, memoryMiB: number | null = null) =>
      memoryMiB === null ? [] : [{ x: documents, y: memoryMiB }];
    const full = cells.flatMap(({ parameters, figures }) => at(Number(parameters.documents), figures.openMiB));
    // One number of documents leaves but the idle server beside it, whose memory was not at rest.
    const idle = new Set(full.map(({ x }) => x)).size > 1 ? [] : cells.flatMap(({ figures }) => at(0, figures.idleMiB));
    return fitLine([...idle, ...full])?.slope ?? null;
  }
}

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
  return [
    {
      name: `joins-${edits}`,
      label: `joins a second and core, ${edits} edits`,
      unit: 'joins/s',
      what: `${users} users open a document of so many edits at once: the users, divided by the server's CPU time`,
      better: 'higher',
      of(block) {
        const cpuMs = figure('open', 'serverCpuMs', block);
        return cpuMs ? (1000 * users) / cpuMs : null;
      },
    },
    {
      name: `opened-${edits}`,
      label: `${users} users at once have opened ${edits} edits`,
      unit: 's',
      what: 'until all of them have it, and see one another type',
      of: (block) => seconds(figure('open', 'allBackMs', block)),
    },
    {
      name: `back-${edits}`,
      label: `${users} dropped users are back, ${edits} edits`,
      unit: 's',
      what: 'the same of users whom a server dropped that keeps the document, with the pauses of their clients',
      of: (block) => seconds(figure('drop', 'allBackMs', block)),
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
      of: (block) => kibibytes(connectionMiB(block, sizes)),
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
      of: (block) => perTextMiB(block, sizes),
    },
  ];
}

/**
 * Every unit cost, in the order of the card.
 *
 * @param blocks all of one framework
 */
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
      what: `${ACTIVE.usersPerDocument} to a document of the most edits, ${ACTIVE.keysPerSecond} key a second each: the cheapest tasks that carry them`,
      of: (block: Block) => machineOf(block, machineFor)?.dollarsAMonth ?? null,
    },
  ];
  return kinds.map(({ of, better = 'lower', ...kind }: CostKind) => {
    const found = blocks.map(of);
    const replicates = found.map((value) => (Number.isNaN(value) ? null : value));
    const known = onlyKnown(replicates);
    const mean = meanOfKnown(known);
    // The mean of those blocks alone in which it could be told would not be that of all.
    const isUntold = found.some(Number.isNaN) || (mean !== null && mean <= 0);
    return { ...kind, better, replicates, mean: isUntold ? null : mean, ci95: interval95(known, 'linear'), isUntold };
  });
}

/** Different numbers of edits, from the fewest on. */
function sizesIn(cells: readonly Cell[]): number[] {
  return [...new Set(cells.map(({ parameters }) => Number(parameters.edits)))].sort((a, b) => a - b);
}

/** So many that the server takes a whole core: keys · w · (own + other · (w − 1)) = one second. NaN: another costs too little to be told. */
function writersPerCore(update: Line | null): number | null {
  if (update === null) return null;
  if (update.slope <= 0) return Number.NaN;
  const { start: own, slope: other } = update;
  const linear = own - other;
  return Math.floor((-linear + Math.sqrt(linear ** 2 + (4 * other * 1e6) / WRITER_KEYS_PER_SECOND)) / (2 * other));
}

function connectionMiB(block: Block, [edits]: readonly number[]): number | null {
  return block.figure('memory', 'connectionMiB', { edits });
}

function perTextMiB(block: Block, sizes: readonly number[]): number | null {
  const points = sizes.flatMap((edits) => {
    const [characters, memoryMiB] = [block.figure('memory', 'characters', { edits }), block.documentMiB(edits)];
    return characters === null || memoryMiB === null ? [] : [{ x: characters / MIB, y: memoryMiB }];
  });
  return fitLine(points)?.slope ?? null;
}

/** The machine for the case above; null: a cost is not known. */
export function machineOf(block: Block, machineFor: MachineFor): Machine | null {
  const { users, usersPerDocument, keysPerSecond } = ACTIVE;
  const sizes = sizesIn(block.cells('memory'));
  const { update } = block;
  const idleMiB = block.figure('memory', 'idleMiB');
  const perConnectionMiB = connectionMiB(block, sizes);
  const perDocumentMiB = block.documentMiB(sizes.at(-1));
  if (update === null || idleMiB === null || perConnectionMiB === null || perDocumentMiB === null) return null;
  const microseconds = users * keysPerSecond * (update.start + update.slope * (usersPerDocument - 1));
  return machineFor({
    cores: Math.max(0, microseconds) / 1e6,
    idleMiB,
    heldMiB: users * Math.max(0, perConnectionMiB) + (users / usersPerDocument) * Math.max(0, perDocumentMiB),
  });
}
