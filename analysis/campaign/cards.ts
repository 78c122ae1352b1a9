/** Capacity cards: the unit costs of each framework that a campaign measured, with intervals, the machine that follows, and conditions. */
import published from '../../results/published/capacity.json' with { type: 'json' };
import { reasonsOf } from '../cell/messages.ts';
import { countOf, formatAmount, formatAmountWithin, joined, NOTHING } from '../figures/figure-text.ts';
import { byMachine, nameOfMachine } from '../figures/machine-speed.ts';
import { type MeasuredRun, type Tier, UNKNOWN_VERSION } from '../scenarios/cell.ts';
import { nameOf } from '../scenarios/cell-name.ts';
import { onlyKnown } from '../statistics/quantile.ts';
import { type CaptionedTable, left, right, type Table } from '../tables/table.ts';
import { Block } from './block.ts';
import { nameOfCode } from './measured-code.ts';
import { ACTIVE, type Machine, type MachineFor, machineOf, type UnitCost, unitCosts } from './unit-costs.ts';

export interface Card {
  framework: string;
  version: string;
  tier: Tier;
  costs: readonly UnitCost[];
  /** For the mean of what the blocks ask for; null: no block knows all costs. */
  machine: Machine | null;
  /** Cells that a cost does not rest on, or that met a limit, in a sentence each. */
  cautions: readonly string[];
  /** The runs that it is of, each with its machine and code. */
  measured: readonly { experiment: string; startedAt: string; machine: string; code: string }[];
}

/** A campaign without them asks for no unit costs. */
const ON_CARDS: readonly MeasuredRun['scenario'][] = ['storm', 'memory'];

/** Others' costs, by the names of ours, each with its unit if that is another. */
type PublishedCosts = Omit<(typeof published.studies)[number], 'costs'> & { costs: Readonly<Record<string, string>> };
const STUDIES: readonly PublishedCosts[] = published.studies;

/**
 * A card for each framework whose users came back at once, or whose documents were opened; none of other campaigns.
 *
 * @param blocks the runs of each block
 */
export function cardsOf(blocks: readonly (readonly MeasuredRun[])[], machineFor: MachineFor): Card[] {
  const told = blocks.flat().filter(isOnCards);
  const frameworks = new Set(told.flatMap(({ cells }) => cells.map(({ parameters }) => String(parameters.framework))));
  return [...frameworks].map((framework) => cardOf(framework, blocks, machineFor));
}

function isOnCards({ scenario }: MeasuredRun): boolean {
  return ON_CARDS.includes(scenario);
}

function cardOf(framework: string, all: readonly (readonly MeasuredRun[])[], machineFor: MachineFor): Card {
  const isOf = ({ cells }: MeasuredRun) => cells.some(({ parameters }) => parameters.framework === framework);
  // Other campaigns have blocks of it, too.
  const every = all.map((runs) => runs.filter(isOf)).filter((runs) => runs.some(isOnCards));
  const [measured] = alikeBlocks(every.toReversed(), framework)
    .map((blocks) => blocks.toReversed())
    .toSorted((a, b) => b.length - a.length) as [MeasuredRun[][]];
  const blocks = measured.map((runs) => new Block(runs, framework));
  const own = measured
    .flat()
    .flatMap((run) => run.cells.map((cell) => ({ run, cell })))
    .filter(({ cell }) => cell.parameters.framework === framework);
  // Of each cell one, though every block may have its own.
  const cautions = new Map<string, string>();
  const others = every.length - measured.length;
  if (others > 0) cautions.set('others', `Left out: ${countOf(others, 'block')} of another machine or version`);
  for (const { run, cell } of own) {
    const [reason] = reasonsOf(cell.messages);
    const of = [run.scenario, nameOf(run, cell, 'framework')].filter(Boolean).join(', ');
    // The harness or the machine was the limit, or it is not known what was.
    const isSpoilt = cell.verdict === 'invalid' || cell.verdict === 'unknown';
    const caution = `${isSpoilt ? 'Not measured' : 'Gave out'}: ${of}`;
    if (reason !== undefined && !cautions.has(caution)) cautions.set(caution, `${caution}: ${reason}`);
  }
  return {
    framework,
    version: versionIn(measured.flat(), framework),
    tier: own.find(({ run }) => run.scenario === 'typing')?.cell.tier ?? 'unknown',
    costs: unitCosts(blocks, machineFor),
    machine: machineOf(blocks, machineFor),
    cautions: [...cautions.values()],
    measured: measured.flat().map(({ experiment, startedAt, environment }) => {
      return { experiment, startedAt, machine: machineInFull(environment), code: nameOfCode(environment) };
    }),
  };
}

/** Blocks of another machine or version are no repeats of these. Machines of one name may differ in speed. */
function alikeBlocks(blocks: readonly MeasuredRun[][], framework: string): MeasuredRun[][][] {
  const groups = byMachine(blocks, (runs) => ({
    name: `${machineInFull(runs[0]!.environment)}; ${versionIn(runs, framework)}`,
    cells: runs.flatMap((run) => run.cells),
  }));
  return groups.map(({ items }) => items);
}

/** As the first of its cells tells that any trial of told. */
function versionIn(runs: readonly MeasuredRun[], framework: string): string {
  const own = runs.flatMap(({ cells }) => cells.filter(({ parameters }) => parameters.framework === framework));
  return (own.find(({ version }) => version !== UNKNOWN_VERSION) ?? own[0]!).version;
}

/** @param command repeats it; absent: the reader has it already */
export function cardTable(card: Card, command?: string): CaptionedTable {
  const { framework, version, costs } = card;
  return {
    id: `capacity-${framework.replaceAll(/[^A-Za-z0-9]+/g, '-')}`,
    title: `Capacity: ${framework} ${version}`,
    columns: [left('what'), right('mean'), right('95 % interval'), left('unit'), right('blocks')],
    rows: costs.map(({ label, unit, mean, ci95, replicates }) => {
      const range = ci95 === null ? NOTHING : `${formatAmount(ci95.low)} to ${formatAmount(ci95.high)}`;
      return [label, formatAmount(mean), range, unit, String(onlyKnown(replicates).length)];
    }),
    notes: [
      ...notesOn(card),
      ...STUDIES.map(publishedText),
      ...conditionsOf([card]),
      ...(command === undefined ? [] : [`Again: ${command}`]),
    ],
  };
}

/** Several frameworks beside each other, and what others published; the commands that repeat them are the page's. */
export function costsTable(cards: readonly Card[]): CaptionedTable {
  return {
    id: 'capacity',
    title: 'Unit costs',
    columns: [
      left('what'),
      left('unit'),
      ...cards.map(({ framework, version }) => right(`${framework} ${version}`)),
      ...STUDIES.map(({ of }) => right(`${of}, published`)),
    ],
    rows: [...kindsOf(cards).values()].map(({ name, label, unit }) => [
      ...[label, unit],
      ...cards.map(({ costs }) => costText(costs.find((cost) => cost.name === name))),
      ...STUDIES.map(({ costs }) => costs[name] ?? NOTHING),
    ]),
    notes: [
      ...cards.flatMap((card) => notesOn(card).map((note) => `${card.framework}: ${note}`)),
      ...STUDIES.map(publishedText),
      ...conditionsOf(cards),
    ],
  };
}

/** How each cost is got; those that are got alike share a row. */
export function meaningsTable(cards: readonly Card[]): Table {
  const kinds = [...kindsOf(cards).values()];
  return {
    columns: [left('cost'), left('how it is got')],
    rows: [...Map.groupBy(kinds, ({ what }) => what)].map(([what, costs]) => [
      costs.map(({ label }) => label).join('; '),
      what,
    ]),
  };
}

/** Costs of any of the cards by their names, in the order of the first. */
export function kindsOf(cards: readonly Card[]): ReadonlyMap<string, UnitCost> {
  return new Map(cards.flatMap(({ costs }) => costs.map((cost) => [cost.name, cost] as const)));
}

/** With the number of blocks that know it, if others do not. */
function costText(cost: UnitCost | undefined): string {
  if (cost === undefined || cost.mean === null) return NOTHING;
  const [known, blocks] = [onlyKnown(cost.replicates).length, cost.replicates.length];
  return formatAmountWithin(cost.mean, cost.ci95) + (known < blocks ? `, in ${known} of ${blocks}` : '');
}

function notesOn({ costs, machine, cautions }: Card): string[] {
  const untold = costs.filter(({ isUntold }) => isUntold).map(({ label }) => `"${label}"`);
  const advice = 'take more blocks, or more users and documents in a file of your own';
  return [
    ...(untold.length === 0 ? [] : [`Too small to measure here: ${joined(untold)}; ${advice}.`]),
    machine === null ? 'The machine for it is not known, since a cost is not.' : machineText(machine),
    ...cautions,
  ];
}

function machineText({ title, dollarsAMonth, cpuShare, memoryShare }: Machine): string {
  const { users, usersPerDocument, keysPerSecond } = ACTIVE;
  const [cpu, memory] = [cpuShare, memoryShare].map((share) => `${Math.round(100 * share)} %`);
  const first = cpuShare > memoryShare ? 'CPU' : 'memory';
  return `${users} people, ${usersPerDocument} in each document, ${keysPerSecond} key a second each: ${title}, ${Math.round(dollarsAMonth)} $ a month; CPU ${cpu}, memory ${memory}; ${first} gives out first.`;
}

function publishedText({ of, author, year, url, costs, says }: PublishedCosts): string {
  const { update, reader } = costs;
  return `Published beside it, of ${of}: ${update} µs for an update, ${reader} µs for an update and reader; ${says} (${author}, ${year}, ${url}).`;
}

/** One sentence for each set of machine and code. */
function conditionsOf(cards: readonly Card[]): string[] {
  const all = cards.flatMap(({ framework, measured }) => measured.map((run) => ({ framework, ...run })));
  const groups = Map.groupBy(all, ({ machine, code }) => `${machine}; ${code}`);
  return [...groups].map(([conditions, runs]) => {
    const days = [...new Set(runs.map(({ startedAt }) => startedAt.slice(0, 10)))].sort();
    const names = [...new Set(runs.map(({ framework }) => framework))];
    const who = cards.length > 1 ? `${joined(names)} on` : 'on';
    return `Measured ${who} ${days.join(', ')}; ${conditions}; server and users on one machine, over loopback, documents in memory only.`;
  });
}

function machineInFull(environment: MeasuredRun['environment']): string {
  const { memoryMiB, os, node } = environment;
  return `${nameOfMachine(environment)}, ${Math.round(Number(memoryMiB) / 1024)} GiB, ${os}, Node ${node}`;
}
