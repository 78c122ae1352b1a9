/**
 * `summary.json` of a document scenario: one object per cell. Beside what is named here a cell has its parameters
 * (`engine`, `edits`, …) and its figures, by the names that analysis/documents/ gives them; what was not measured is null.
 */
import * as z from 'zod';
import { DOCUMENT_SCENARIOS } from './scenarios.ts';

const figure = z.number().nullable();

export const documentCellSchema = z.looseObject({
  version: z.string(),
  trials: z.int().nonnegative(),
  validTrials: z.int().nonnegative(),
  failedTrials: z.int().nonnegative(),
  verdict: z.enum(['valid', 'partly valid', 'invalid', 'failed', 'unknown']),
  /** Why trials are not valid. */
  reasons: z.array(z.string()),
  notes: z.array(z.string()),
  /** 95 % intervals over trials of the figures; null if there are too few. */
  ci95: z.record(z.string(), z.object({ low: z.number(), high: z.number() }).nullable()),
  /** By the curve's name: at each `x` the centre over the valid trials. */
  curves: z.record(z.string(), z.object({ x: z.array(z.number()), y: z.array(figure) })),
});

export const documentSummarySchema = z.object({
  schemaVersion: z.literal(1),
  experiment: z.string(),
  scenario: z.enum(DOCUMENT_SCENARIOS),
  startedAt: z.string(),
  environment: z.record(z.string(), z.unknown()),
  cells: z.array(documentCellSchema),
});

export type DocumentCell = z.infer<typeof documentCellSchema>;
export type DocumentSummary = z.infer<typeof documentSummarySchema>;
