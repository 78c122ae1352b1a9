/**
 * `calibration.json`: what `./scriptorium calibrate` injected and measured. The one in `results/measured/` is the project's
 * last: if a bound was missed there, its figure is marked wherever it is published.
 */
import * as z from 'zod';
import { nameSchema } from './names.ts';

export const CALIBRATION_FILE = 'calibration.json';

const rowSchema = z.object({
  /** The injection, in words. */
  name: z.string(),
  /** Which figure of a cell it calibrates; null: the verdict. */
  figure: z.string().nullable(),
  mode: nameSchema,
  unit: z.string(),
  injected: z.number(),
  /** Null if no trial counted, or the figure was not measured. */
  measured: z.number().nullable(),
  from: z.number(),
  to: z.number(),
  withinBound: z.boolean(),
  /** Why the bound is what it is. */
  because: z.string(),
  /** Why no trial counts. */
  reasons: z.array(z.string()),
});

export const calibrationSchema = z.object({
  schemaVersion: z.literal(1),
  startedAt: z.string(),
  /** Three trials of each injection, not one. */
  full: z.boolean(),
  machine: z.object({
    cpu: z.string(),
    cores: z.number(),
    chrome: z.string().nullable(),
    /** How busy all cores together were in the busiest cell, and in the one without defects; null: not known. */
    busiestPercent: z.number().nullable(),
    calmestPercent: z.number().nullable(),
  }),
  rows: z.array(rowSchema),
});

export type Calibration = z.infer<typeof calibrationSchema>;
export type CalibrationRow = z.infer<typeof rowSchema>;
