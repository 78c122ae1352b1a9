/** What became of faults, and where a campaign keeps that, so that it can go on later. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { writeJson } from '../../results/formats/write-file.ts';

/** One fault. */
const struckSchema = z.object({
  fault: z.string(),
  phase: z.string(),
  /** The trial's verdict with its reason's code, or how the command ended. */
  became: z.string(),
  /** From the fault to that, ms. */
  tookMs: z.number(),
});
export type Struck = z.infer<typeof struckSchema>;

/** One run and the faults in it. */
const roundSchema = z.object({
  seed: z.int(),
  subject: z.string(),
  struck: z.array(struckSchema),
  /** What does not hold. */
  violations: z.array(z.string()),
});
export type RoundOutcome = z.infer<typeof roundSchema>;

/** @returns none where there is no such file */
export async function readRounds(path: string): Promise<RoundOutcome[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  return z.array(roundSchema).parse(JSON.parse(text));
}

export function writeRounds(path: string, rounds: readonly RoundOutcome[]): Promise<void> {
  return writeJson(path, rounds);
}
