/** The files of a run: `<root>/plan.json`, `environment.json`, `trials/<cell>-<n>/…`, `summary.json`. Browser-safe. */
import * as z from 'zod';
import { DOCUMENT_SCENARIOS, type DocumentSummary, type Parameters, parametersSchema } from './documents.ts';
import { instantSchema, lineSchema, nameSchema } from './names.ts';
import type { Summary } from './summary.ts';

/** Becomes a part of paths, and runs may come from elsewhere: no name may lead out of the folder. */
const fileNameSchema = z
  .string()
  .regex(/^[^./\\][^/\\]*$/, 'it is no file name: it is empty, or has "/", "\\" or a first "."');

/** The part of a trial in `plan.json` that all scenarios share. */
const trialSchema = z.object({
  cell: fileNameSchema,
  /** From 1. */
  trial: z.int().positive(),
  seed: z.int().nonnegative(),
  /** Relative to the run's folder. */
  directory: z
    .string()
    .refine(
      (path) => path.split('/').every((part) => fileNameSchema.safeParse(part).success),
      'it is no folder below the run',
    ),
});

/** A trial in which people type. */
const plannedTrialSchema = trialSchema.extend({
  framework: nameSchema,
  mode: nameSchema,
  users: z.int().positive(),
  /** True if users see one another's cursors; absent: they do not. */
  presence: z.literal(true).optional(),
  /** The agents that edit beside the users, as the experiment has them: `stream`, `3-rewrite`; absent: none. */
  agents: nameSchema.optional(),
  /** How many more only read; absent: none. */
  readers: z.int().positive().optional(),
  /** Where its server keeps documents; absent: in memory alone. */
  store: nameSchema.optional(),
  /** How long each write to its store waits first; absent: not at all. */
  writeDelayMs: z.number().positive().optional(),
  /** How many of the framework's servers users are spread over; absent: one. */
  servers: z.int().min(2).optional(),
  /** How many of the users, the first of them, are live; absent: all. */
  probes: z.int().positive().optional(),
  /** The link of the document that a hosted framework's trial takes place in, once it is known. */
  document: z.string().optional(),
});

/** `plan.json`: the experiment as resolved (every default filled in), and its trials in the order they run. */
export const planSchema = z.object({
  schemaVersion: z.literal(1),
  startedAt: instantSchema,
  experiment: z.looseObject({ name: nameSchema }),
  trials: z.array(plannedTrialSchema),
});

/** `plan.json` of a document scenario: `of` tells what each trial measures. */
export const documentPlanSchema = z.object({
  schemaVersion: z.literal(1),
  startedAt: instantSchema,
  experiment: z.looseObject({ name: nameSchema, scenario: z.enum(DOCUMENT_SCENARIOS) }),
  trials: z.array(trialSchema.extend({ of: parametersSchema })),
});

/** The properties that trials of all scenarios have. */
export type AnyPlannedTrial = z.infer<typeof trialSchema>;
export type DocumentPlanFile = z.infer<typeof documentPlanSchema>;
export type DocumentTrial = DocumentPlanFile['trials'][number];
export type PlannedTrial = z.infer<typeof plannedTrialSchema>;
export type PlanFile = z.infer<typeof planSchema>;
/** Of any scenario; that of typing says none. */
export type AnySummary = Summary | DocumentSummary;

/** The rest of a cell: cursors, agents and readers beside its users; a store and more servers behind them. */
export type Company = Pick<PlannedTrial, 'presence' | 'agents' | 'readers' | 'store' | 'writeDelayMs' | 'servers'>;

/** They end the parts of a mode's name that tell of readers, of a slowed store, and of several servers. */
const [READERS_PART, WRITES_PART, SERVERS_PART] = ['-readers', 'ms-writes', '-servers'];

/** The mode's name in cells and figures: with company it counts as another mode, `optquill+presence+100-readers`, `node+sqlite+20ms-writes+3-servers`. */
export function cellMode(of: Pick<PlannedTrial, 'mode'> & Company): string {
  const { mode, presence, agents, readers, store, writeDelayMs, servers } = of;
  const beside = [presence && 'presence', agents, readers && `${readers}${READERS_PART}`];
  const behind = [store, writeDelayMs && `${writeDelayMs}${WRITES_PART}`, servers && `${servers}${SERVERS_PART}`];
  const parts = [mode, ...beside, ...behind];
  return parts.filter((part) => part !== undefined).join('+');
}

/** The stores that a cell may have beside memory; editors/base/stores.ts, which this room may not import, has the same. */
export const KEPT_STORES = ['sqlite', 'leveldb', 'postgres', 'redis', 'files'] as const;

/** How to know a part of a mode's name by what it tells of. */
const IS_PART = {
  readers: (part: string) => part.endsWith(READERS_PART),
  store: (part: string) => (KEPT_STORES as readonly string[]).includes(part),
  writes: (part: string) => part.endsWith(WRITES_PART),
  servers: (part: string) => part.endsWith(SERVERS_PART),
} as const;

function partOf(mode: string, of: keyof typeof IS_PART): string | undefined {
  return mode.split('+').find(IS_PART[of]);
}

/** How many only read, by a mode's name in cells. */
export function readersIn(mode: string): number {
  return Number.parseInt(partOf(mode, 'readers') ?? '0', 10);
}

/** The store by a mode's name in cells; undefined: memory alone. */
export function storeIn(mode: string): string | undefined {
  return partOf(mode, 'store');
}

/** How many servers, by a mode's name in cells. */
export function serversIn(mode: string): number {
  return Number.parseInt(partOf(mode, 'servers') ?? '1', 10);
}

/** The name of the same mode without its readers, without its store, with a store that is not slowed, or with one server. */
export function modeWithout(mode: string, of: keyof typeof IS_PART): string {
  return mode
    .split('+')
    .filter((part) => !IS_PART[of](part))
    .join('+');
}

/** Parameters of the cell that a trial belongs to. */
export function parametersOf(planned: PlannedTrial | DocumentTrial): Parameters {
  if ('of' in planned) return planned.of;
  return { framework: planned.framework, mode: cellMode(planned), users: planned.users };
}

export const PLAN_FILE = 'plan.json';
export const ENVIRONMENT_FILE = 'environment.json';
export const SUMMARY_FILE = 'summary.json';
export const REPORT_FILE = 'report.html';
export const VERDICT_FILE = 'verdict.json';
export const FIGURES_FILE = 'figures.json';
/** Of a search for the most users: its answers, for programs and for people. */
export const MAX_FILE = 'max.json';
export const MAX_MARKDOWN_FILE = 'max.md';
/** In a trial's folder: what its users held in the end. */
export const DOCUMENTS_FOLDER = 'documents';
export const SAVED_STATE_ENDING = '.state';
/** In the folder of a run of two versions in turns: which they are. Each half is a run folder of its own. */
export const AGAINST_FILE = 'against.json';
export const HALVES = { base: 'base', new: 'new' } as const;
/** In the folder of a campaign's block, whose subfolders are run folders: which block it is, and when it was measured. */
export const BLOCK_FILE = 'block.json';

export const blockSchema = z.object({
  schemaVersion: z.literal(1),
  campaign: nameSchema,
  part: nameSchema,
  question: lineSchema,
  /** From 1. */
  block: z.int().positive(),
  seed: z.int().nonnegative(),
  /** True if its samples are to be kept, too. */
  deposit: z.boolean(),
  /** More than one if the block was interrupted. */
  sittings: z.array(
    z.object({
      startedAt: instantSchema,
      endedAt: instantSchema,
      /** Just before; speeds in turns/µs, null where the system does not tell. */
      machine: z.object({
        speed: z.object({ oneCore: z.number(), allCores: z.number() }).nullable(),
        load: z.number(),
        busyPercent: z.number().nullable(),
        stealPercent: z.number().nullable(),
      }),
    }),
  ),
});

/** `block.json`: one block of a campaign's part. */
export type BlockRecord = z.infer<typeof blockSchema>;

/** In the run folder of a ladder's rung (`analysis/campaign/ladder.ts`): what its trials said. */
export const RUNGS_FILE = 'rungs.json';

export const rungsSchema = z
  .array(
    z.object({
      framework: nameSchema,
      users: z.int().positive(),
      /** Trials that held the paper's criterion. */
      held: z.int().nonnegative(),
      /** Those that did not, or are not known to. */
      missed: z.int().nonnegative(),
      /** The part that these used up: `page`, `server`, `machine`, `memory`, `recorder`, `harness`; null: none. */
      gaveOut: nameSchema.nullable(),
    }),
  )
  .max(1000);

export type Rung = z.infer<typeof rungsSchema>[number];

/** The path of a process's record in a trial's directory. */
export function recordPath(trialDirectory: string, name: string): string {
  return `${trialDirectory}/records/${name}.ndjson.gz`;
}
