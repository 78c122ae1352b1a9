/**
 * Document scenarios: their names, the lines that their trials write beside `fault`, one file per trial, `trial.ndjson.gz`, and
 * their summary. A trial has one value of each figure; analysis/scenarios/ says their meaning. Browser-safe.
 */
import * as z from 'zod';
import { environmentSchema, instantMs, instantSchema, lineSchema, nameSchema, versionSchema } from './names.ts';
import { addUp, cellVerdict } from './verdict.ts';

/** Scenarios that measure single documents, without people who type into them at once. */
export const DOCUMENT_SCENARIOS = ['replay', 'state', 'join', 'rest', 'storm', 'kept', 'memory'] as const;
/** All of them. An experiment that names none has the first. */
export const SCENARIOS = ['typing', ...DOCUMENT_SCENARIOS] as const;

export type DocumentScenario = (typeof DOCUMENT_SCENARIOS)[number];
export type ScenarioName = (typeof SCENARIOS)[number];

export function isDocumentScenario(name: unknown): name is DocumentScenario {
  return DOCUMENT_SCENARIOS.some((each) => each === name);
}

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
  atMs: instantMs,
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
export const doneRecord = z.object({ type: z.literal('done'), atMs: instantMs });

const figure = z.number().nullable();
/** Memory that a document takes may be less than before. */
const MAY_FALL = /MiB$/;

/** A parameter, or a figure, in its possible range. */
function isPossible([name, value]: [string, unknown]): boolean {
  if (typeof value === 'string') return lineSchema.safeParse(value).success;
  if (typeof value !== 'number') return value === null;
  return Math.abs(value) <= 1e15 && (value >= 0 || MAY_FALL.test(name));
}

const namedInSchema = new Set(['ci95', 'curves', ...Object.keys(cellVerdict)]);

const documentCellSchema = z
  .looseObject({
    version: versionSchema,
    ...cellVerdict,
    /** 95 % intervals over trials of the figures; null if there are too few. */
    ci95: z.record(z.string(), z.object({ low: z.number(), high: z.number() }).nullable()),
    /** By the curve's name: at each `x` the centre over the valid trials. */
    curves: z.record(z.string(), z.object({ x: z.array(z.number()), y: z.array(figure) })),
  })
  .refine(
    (cell) => Object.entries(cell).every((each) => namedInSchema.has(each[0]) || isPossible(each)),
    'a parameter or figure is none',
  )
  .refine(addUp, 'its counts of trials do not add up');

/**
 * `summary.json` of a document scenario: one object per cell. Beside what is named here a cell has its parameters
 * (`engine`, `edits`, …) and its figures, by the names that analysis/scenarios/ gives them; null: not measured.
 */
export const documentSummarySchema = z.object({
  schemaVersion: z.literal(1),
  experiment: nameSchema,
  scenario: z.enum(DOCUMENT_SCENARIOS),
  startedAt: instantSchema,
  environment: environmentSchema,
  cells: z.array(documentCellSchema),
});

export type DocumentCell = z.infer<typeof documentCellSchema>;
export type DocumentSummary = z.infer<typeof documentSummarySchema>;
