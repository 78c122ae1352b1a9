/**
 * `figures.json`, beside a trial's records: what they say, for whoever pools trials. It is made from the records, and made again
 * if they, or the analysis, are no longer those that it names.
 */
import * as z from 'zod';
import { ASKED_FAULTS } from './fault-records.ts';
import { PHASES } from './records.ts';
import { verdictSchema } from './verdict.ts';

/** Raised with every change of its form. */
export const FIGURES_SCHEMA_VERSION = 1;

/** 64-bit numbers, the least significant byte first, deflated (RFC 1951), as base64: a large trial has a million of them. */
const samples = z.record(z.string(), z.string());
const columns = z.record(z.string(), z.number().nullable());
const curve = z.object({ x: z.array(z.number()), y: z.array(z.number()) });

/** The measurements of a trial, valid or not. */
const measuredSchema = z.object({
  /** Counts and figures by the columns of the views `trial_figures` and `backing_figures`; of a document scenario, by the figures' names. */
  columns,
  /** Raw samples by the names of the view `samples`, ascending. */
  samples,
  /** The whole time of typing, in buckets of 10 s. */
  buckets: z.array(z.object({ phase: z.enum(PHASES), columns, samples })),
  /** Rows of the view `fault_figures`. */
  faults: z.array(
    z.looseObject({
      fault: z.int().nonnegative(),
      kind: z.enum(ASKED_FAULTS),
      users: z.int().nonnegative(),
      atS: z.number(),
      forS: z.number().nullable(),
    }),
  ),
  /** Of a document scenario. */
  curves: z.record(z.string(), curve),
});

export const figuresSchema = z.object({
  schemaVersion: z.literal(FIGURES_SCHEMA_VERSION),
  /** Digest of the sources that made it. */
  analysis: z.string(),
  /** Digest of the records' names, lengths and checksums. */
  records: z.string(),
  /** By that analysis; `verdict.json` has that of the run. */
  verdict: verdictSchema,
  /** Of the framework, engine or store; null if the records do not tell. */
  version: z.string().nullable(),
  /** Null if the records give none. */
  measured: measuredSchema.nullable(),
});

export type FiguresFile = z.infer<typeof figuresSchema>;
