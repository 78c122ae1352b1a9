/**
 * The lines that the trials of document scenarios write, beside `fault`: one file per trial, `trial.ndjson.gz`. A trial has
 * one value of each figure; what they mean stands in analysis/documents/. Browser-safe.
 */
import * as z from 'zod';
import { DOCUMENT_SCENARIOS } from './scenarios.ts';

/** Identity of a cell within its run: an engine's name, a number of edits. Their order is that of the columns. */
export const parametersSchema = z.record(z.string(), z.union([z.string(), z.number()]));
export type Parameters = z.infer<typeof parametersSchema>;

/** The first line: what is measured. */
export const subjectRecord = z.object({
  type: z.literal('subject'),
  schemaVersion: z.literal(2),
  scenario: z.enum(DOCUMENT_SCENARIOS),
  of: parametersSchema,
  /** Of the engine, framework or store. */
  version: z.string(),
  atMs: z.number().positive(),
});

/** One figure of the trial, in the unit that its name says. */
export const figureRecord = z.object({ type: z.literal('figure'), figure: z.string(), value: z.number() });

/** One curve of the trial: a figure over something that grows. As many `y` as `x`. */
export const curveRecord = z.object({
  type: z.literal('curve'),
  curve: z.string(),
  x: z.array(z.number()),
  y: z.array(z.number()),
});

/** A remark for the reader of a valid trial. */
export const noteRecord = z.object({ type: z.literal('note'), code: z.string(), message: z.string() });

/** The measured engine, framework or store did not do its task: this counts against it. Failures of the harness are `fault`. */
export const failureRecord = z.object({ type: z.literal('failure'), code: z.string(), message: z.string() });

/** The last line: nothing is missing. */
export const doneRecord = z.object({ type: z.literal('done'), atMs: z.number().positive() });
