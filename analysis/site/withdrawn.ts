/**
 * Cells of kept runs that are withdrawn, since their way of measuring was wrong: `results/measured/withdrawn.json`. Their files
 * stay, byte by byte, and whoever reads a kept run gets it without them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isOfPlayedCrowd, type MeasuredRun } from '../scenarios/cell.ts';

const withdrawalSchema = z.strictObject({
  framework: z.string(),
  /** Which of its cells: those beside a crowd that was recorded. */
  crowd: z.literal('played'),
  why: z.string(),
});

export type Withdrawal = z.infer<typeof withdrawalSchema>;

const FILE = join(import.meta.dirname, '../../results/measured/withdrawn.json');
const WITHDRAWALS = z
  .strictObject({ withdrawn: z.array(withdrawalSchema) })
  .parse(JSON.parse(readFileSync(FILE, 'utf8')));

/** A run of typing without the cells that are withdrawn, and without their replicates. */
export function withoutWithdrawn<Kept extends { summary: MeasuredRun; replicates?: readonly unknown[] }>(
  kept: Kept,
  withdrawals: readonly Withdrawal[] = WITHDRAWALS.withdrawn,
): Kept {
  const stays = kept.summary.cells.map(
    (cell) => !withdrawals.some(({ framework }) => framework === cell.parameters.framework && isOfPlayedCrowd(cell)),
  );
  return {
    ...kept,
    summary: { ...kept.summary, cells: kept.summary.cells.filter((_, index) => stays[index]) },
    ...(kept.replicates && { replicates: kept.replicates.filter((_, index) => stays[index]) }),
  };
}
