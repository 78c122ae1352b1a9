/** The capacity card of a framework: its unit costs with intervals, the machine that follows, conditions, and the command. */
import { join } from 'node:path';
import * as z from 'zod';
import { REPORT_JSON } from '../../analysis/campaign/campaign-report.ts';
import { nameOfCode } from '../../analysis/campaign/measured-code.ts';
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { formatAmount, NOTHING } from '../../analysis/figures/figure-text.ts';
import { interval95 } from '../../analysis/statistics/interval.ts';
import { meanOfKnown, onlyKnown } from '../../analysis/statistics/quantile.ts';
import { type CaptionedTable, left, right } from '../../analysis/tables/table.ts';
import { CPU_UNITS_PER_VCPU } from '../../infra/fargate/plan/deployment.ts';
import { PRICES_AS_OF } from '../../infra/fargate/plan/prices.ts';
import published from '../../results/published/capacity.json' with { type: 'json' };
import { readJson } from '../../results/run-folder/run-files.ts';
import { ACTIVE, type CapacityCells, type Machine, PRICED_REGION, unitCosts } from './unit-costs.ts';

const cellSchema = z.looseObject({
  summary: z.looseObject({ version: z.string(), reasons: z.array(z.string()) }),
  replicates: z.record(z.string(), z.array(z.number().nullable())),
});
const reportSchema = z.looseObject({
  parts: z
    .array(
      z.looseObject({
        entries: z.array(
          z.looseObject({
            name: z.enum(['typing', 'storm', 'memory']),
            blocks: z.array(z.looseObject({ startedAt: z.string(), environment: z.record(z.string(), z.unknown()) })),
            cells: z.array(cellSchema),
          }),
        ),
      }),
    )
    .length(1),
});

/**
 * @param directory of a campaign `capacity` with one framework
 * @throws UserError (2) if there is no such campaign
 */
export async function readCard(
  directory: string,
  { name, command }: { name: string; command: string },
): Promise<CaptionedTable> {
  const { entries } = (await readJson(join(directory, REPORT_JSON), reportSchema)).parts[0]!;
  const cellsOf = (entry: keyof CapacityCells) => entries.find((each) => each.name === entry)?.cells ?? [];
  const cells = { typing: cellsOf('typing'), storm: cellsOf('storm'), memory: cellsOf('memory') };
  const { costs, machine } = unitCosts(cells);
  const measured = entries.flatMap(({ blocks }) => blocks);
  const version = entries.flatMap((entry) => entry.cells)[0]?.summary.version ?? 'unknown';
  const rows = costs.map((cost) => ({ ...cost, known: onlyKnown(cost.replicates) }));
  // A server's memory comes and goes by itself by more than small things cost.
  const untold = rows.filter(({ known }) => known.length > 0 && meanOfKnown(known)! <= 0);
  return {
    id: `capacity-${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}`,
    title: `Capacity: ${name} ${version}`,
    columns: [left('what'), right('mean'), right('95 % interval'), left('unit'), right('blocks')],
    rows: rows.map((row) => {
      const { label, unit, known } = row;
      const interval = interval95(known, 'linear');
      const range = interval === null ? NOTHING : `${formatAmount(interval.low)} to ${formatAmount(interval.high)}`;
      return [label, formatAmount(untold.includes(row) ? null : meanOfKnown(known)), range, unit, String(known.length)];
    }),
    notes: [
      ...untold.map(
        ({ label }) =>
          `Too small to be told here: ${label}; take more blocks, or more documents in a file of your own.`,
      ),
      ...(machine === null ? ['The machine for it is not known, since a cost is not.'] : [sentenceOf(machine)]),
      ...gaveOut(cells),
      'Readers type here too: what one costs who only reads is not measured.',
      ...published.studies.map(
        ({ author, year, url, says }) => `Published beside it: ${says} (${author}, ${year}, ${url}).`,
      ),
      conditionsOf(measured),
      `Again: ${command}`,
    ],
  };
}

function sentenceOf({ tasks, size, dollars, cpuShare, memoryShare }: Machine): string {
  const { users, usersPerDocument, keysPerSecond } = ACTIVE;
  const each = `${size.cpuUnits / CPU_UNITS_PER_VCPU} vCPU and ${size.memoryMiB / 1024} GB`;
  const [cpu, memory] = [cpuShare, memoryShare].map((share) => `${Math.round(100 * share)} %`);
  const first = cpuShare > memoryShare ? 'CPU' : 'memory';
  return `${users} people, ${usersPerDocument} in each document, ${keysPerSecond} key a second each: ${tasks} × ${each}, ${Math.round(dollars)} $ a month on demand in ${PRICED_REGION} (prices of ${PRICES_AS_OF}), at most ${BUSY_MACHINE_PERCENT} % of either used: CPU ${cpu}, memory ${memory}; ${first} gives out first.`;
}

/** The cells that failed, in a sentence each: a cost rests on the others. */
function gaveOut(cells: CapacityCells): string[] {
  return Object.entries(cells).flatMap(([entry, each]) =>
    each.flatMap(({ summary }) => {
      const reasons = summary.reasons as readonly string[];
      if (reasons.length === 0) return [];
      const { way, edits, users, documents } = summary;
      const of = [way, edits && `${edits} edits`, users && `${users} users`, documents && `${documents} documents`];
      return [`Gave out: ${entry} (${of.filter(Boolean).join(', ')}): ${reasons[0]}`];
    }),
  );
}

function conditionsOf(measured: readonly { startedAt: string; environment: Record<string, unknown> }[]): string {
  const [first] = measured;
  if (first === undefined) return 'No block has been measured.';
  const { cores, cpu, memoryMiB, os, node } = first.environment;
  const days = [...new Set(measured.map(({ startedAt }) => startedAt.slice(0, 10)))].sort();
  const machine = `${cores} cores of ${cpu}, ${Math.round(Number(memoryMiB) / 1024)} GiB, ${os}, Node ${node}`;
  return `Measured on ${days.join(', ')}; ${machine}; server and users on one machine, over loopback, documents in memory only; ${nameOfCode(first.environment)}.`;
}
