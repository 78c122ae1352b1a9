/**
 * A document scenario: the cells of an experiment, and the measurement of one trial. Each stands in a folder of its name, and
 * is loaded when it is needed, since each brings its own libraries.
 */
import type { FrameworkAbout } from '../editors/base/framework.ts';
import type { Frameworks } from '../frameworks/framework.ts';
import type { DocumentExperiment } from '../harness/experiment/document-experiments.ts';
import type { DocumentScenario, Parameters } from '../results/formats/documents.ts';
import type { RecordLine } from '../results/formats/records.ts';
import { UserError } from '../results/user-error.ts';

export interface PlanContext {
  /** Those of the experiment, if it has any. */
  frameworks: Frameworks;
  /** For what a person should know before or while trials run. */
  say(text: string): void;
}

export interface ScenarioContext extends PlanContext {
  /** Of the run: files that trials share lie in it. */
  folder: string;
  signal: AbortSignal;
}

export interface TrialContext {
  /** Its number, from 1. */
  trial: number;
  /** Of the trial: all that is drawn in it comes from this. */
  seed: number;
  /** The trial's own folder, which is there. */
  directory: string;
  /** Writes lines of the record: figures, curves, notes. */
  write(lines: RecordLine | RecordLine[]): void;
  /**
   * Runs a process that measures, and writes its lines.
   *
   * @param limitMs a process that takes longer is ended, and has failed
   * @param look    sees each line
   */
  measure(command: readonly string[], limitMs: number, look?: (line: RecordLine) => void): Promise<void>;
  signal: AbortSignal;
}

/** A scenario that has all that its trials share. */
export interface OpenScenario<Of> {
  /** The version of a cell's subject, such as an engine's package. */
  versionOf(of: Of): string | Promise<string>;
  /**
   * Measures one trial of a cell. All that it starts has ended when it settles.
   *
   * @throws SubjectFailure if the subject failed; any other error makes the trial invalid
   */
  runTrial(of: Of, context: TrialContext): Promise<void>;
}

/** @typeParam Of parameters by which its cells differ */
export interface ScenarioKind<Experiment, Of extends Parameters = Parameters> {
  /** Each cell of the experiment, in the file's order. What it cannot have, since it is not offered, is said. */
  cells(experiment: Experiment, context: PlanContext): Of[] | Promise<Of[]>;
  /** About how long one trial of it takes, ms; for the plan. */
  estimateMs(experiment: Experiment, of: Of): number;
  /** @throws UserError if nothing can be measured, such as a trace that is not here */
  open(experiment: Experiment, context: ScenarioContext): Promise<OpenScenario<Of>>;
}

/** A cell for each combination of the lists' values, of which none counts twice; those of the last list change first. */
export function combinations<Of extends Parameters>(
  lists: {
    [Name in keyof Of]: Iterable<Of[Name]>;
  },
): Of[] {
  let cells: Parameters[] = [{}];
  for (const [name, list] of Object.entries<Iterable<string | number>>(lists)) {
    const values = [...new Set(list)];
    cells = cells.flatMap((of) => values.map((value) => ({ ...of, [name]: value })));
  }
  return cells as Of[];
}

/** The subject did not do its task: this counts against it. */
export class SubjectFailure extends Error {
  /** For programs, such as `wrong-content`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type ExperimentOf<Name extends DocumentScenario> = Extract<DocumentExperiment, { scenario: Name }>;

/** Loads the scenario of that name. */
export async function loadScenario<Name extends DocumentScenario>(
  name: Name,
): Promise<ScenarioKind<ExperimentOf<Name>>> {
  const { scenario } = (await import(`./${name}/scenario.ts`)) as {
    scenario: ScenarioKind<ExperimentOf<Name>>;
  };
  return scenario;
}

/** @throws UserError (2) if users cannot join a document that others write with this framework */
export function requireJoinable(
  scenario: DocumentScenario,
  name: string,
  { hosted, instrument, oneWriter }: FrameworkAbout,
): void {
  const why = hosted
    ? 'its page and its server are another’s, and nobody knows when they begin'
    : instrument
      ? 'it is made to calibrate the harness'
      : oneWriter
        ? 'it does not merge, so a newcomer could not type'
        : null;
  if (why === null) return;
  throw new UserError(`"${name}" cannot be measured by the scenario ${scenario}: ${why}; leave it out of frameworks`);
}
