/** The experiment file: YAML in, a resolved experiment out, or every problem at once, each with its place. */
import { dirname, join, resolve } from 'node:path';
import { isObject } from '../../analysis/figures/nested.ts';
import { admit, isPath } from '../../frameworks/admit.ts';
import { findFrameworks } from '../../frameworks/discover.ts';
import { byName, type Framework, type Frameworks } from '../../frameworks/framework.ts';
import { readyProjectPackages } from '../../frameworks/packages/project-packages.ts';
import { type DocumentScenario, isDocumentScenario, SCENARIOS } from '../../results/formats/documents.ts';
import { PLAN_FILE, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { checkRead, readPlan, scenarioOf } from '../../results/run-folder/run-files.ts';
import { UserError } from '../../results/user-error.ts';
import { listTraces } from '../../traces/store.ts';
import { packagesBehind } from './backing.ts';
import { DOCUMENT_EXPERIMENTS, type DocumentExperiment } from './document-experiments.ts';
import { type Experiment, experiment } from './experiment.ts';
import type { Override } from './experiment-options.ts';
import { checkRules } from './experiment-rules.ts';
import type { Path, Property } from './property.ts';
import { experimentPath } from './ready-made.ts';
import type { KnownFramework, Problem } from './rules/rule.ts';
import { unknownTrace } from './rules/typing.ts';
import {
  located,
  problemsError,
  readWritten,
  resolveBlock,
  type Source,
  shown,
  withoutProperty,
} from './written-file.ts';
import { frameworksOf, nameFrameworks } from './written-names.ts';
import { STDIN } from './yaml-text.ts';

/**
 * Reads and validates an experiment file.
 *
 * @param options.path       the YAML file, or the name of a ready-made experiment
 * @param options.overrides  values of flags (`overridesFrom`), which replace the file's
 * @param options.frameworks those that exist; found by folder unless given, and by what the file and flags name
 * @param options.traces     the names of those that there are; looked up unless given
 * @throws UserError (exit code 2) that lists all problems, each with line and column or its flag
 */
export async function loadExperiment(options: LoadOptions): Promise<TypingExperiment> {
  const refuse = (scenario: string) => {
    const problem = `${options.path} is of the scenario "${scenario}", which this command cannot use`;
    return new UserError(`${problem}; give an experiment in which people type`);
  };
  // Its flags are those of typing, and would be refused one by one.
  const isFlagged = (options.overrides ?? []).length > 0;
  const loaded = await load(options, { refuse: isFlagged ? refuse : () => null });
  if (loaded.scenario === 'typing') return loaded;
  throw refuse(loaded.scenario);
}

const EXPERIMENT = { what: 'the experiment file', example: 'harness/experiments/smoke.yaml' };

interface LoadOptions {
  path: string;
  overrides?: readonly Override[];
  frameworks?: readonly Framework[];
  traces?: readonly string[];
  /** True: packages that a framework lacks are named, not installed. */
  isDry?: boolean;
}

/** An experiment in which people type, and its frameworks: from here on they are handed on, and not looked up again. */
export interface TypingExperiment {
  scenario: 'typing';
  experiment: Experiment;
  frameworks: Frameworks;
}

/** The same of a document scenario; some have engines or stores in place of frameworks. */
export interface LoadedDocuments {
  scenario: DocumentScenario;
  experiment: DocumentExperiment;
  frameworks: Frameworks;
}

/** The content of an experiment file, by its scenario. */
export type LoadedExperiment = TypingExperiment | LoadedDocuments;

/** As `loadExperiment`, of any scenario. */
export function loadAnyExperiment(options: LoadOptions): Promise<LoadedExperiment> {
  return load(options, { refuse: () => null });
}

/** @param refuse the error of a document scenario, whose properties are not looked at then; null: it may be one */
async function load(
  options: LoadOptions,
  { refuse }: { refuse: (scenario: string) => UserError | null },
): Promise<LoadedExperiment> {
  const path = experimentPath(options.path);
  const { input: read, source, isEmpty } = await readWritten(path, EXPERIMENT);
  const content = withBaseSeenFrom(dirname(path), read);
  const traces = options.traces ?? (await listTraces()).map(({ name }) => name);
  const written = { input: content, overrides: options.overrides ?? [] };
  const say = (text: string) => process.stderr.write(`${text}\n`);
  if (isEmpty && path === STDIN) {
    throw new UserError('nothing came from the standard input; write the experiment there, or give a file');
  }
  if (isEmpty) say(`${path} sets nothing, so every property has its default`);
  const admission = { path, say, isDry: options.isDry };
  const { input, overrides, frameworks } =
    options.frameworks === undefined
      ? await nameFrameworks(written, admission)
      : { ...written, frameworks: options.frameworks };
  const ready = (names: readonly string[]) => frameworksOf(names, { ...admission, frameworks });
  const { scenario = 'typing' } = isObject(input) ? input : {};
  if (scenario === 'typing') {
    const experiment = resolveExperiment(input, { source, overrides, frameworks, traces });
    const named = await ready(experiment.frameworks);
    const packages = packagesBehind(experiment, named);
    if (packages.length > 0) await readyProjectPackages(packages, admission);
    return { scenario, experiment, frameworks: named };
  }
  if (!isDocumentScenario(scenario)) {
    const text = `${shown(scenario)} is not valid; write one of: ${SCENARIOS.join(', ')}`;
    throw problemsError(path, [located({ paths: [['scenario']], text, isOfValue: true }, [], source)]);
  }
  const refusal = refuse(scenario);
  if (refusal !== null) throw refusal;
  const experiment = resolveDocuments(input, { scenario, source, overrides, traces });
  const names = 'frameworks' in experiment ? experiment.frameworks : [];
  return { scenario, experiment, frameworks: await ready(names) };
}

/** A folder in a file is relative to the file's; one that a flag names, to the current one. */
function withBaseSeenFrom(folder: string, content: unknown): unknown {
  if (!isObject(content) || typeof content.base !== 'string' || !isPath(content.base, folder)) return content;
  return { ...content, base: resolve(folder, content.base) };
}

/**
 * The experiment of a plan that a run wrote, perhaps elsewhere, and its trials. Nothing is installed.
 *
 * @throws UserError (2) if another version of the project wrote it otherwise, or flags ask for another experiment; (2, 3) if a framework
 *         cannot be run here; a dry one lacks frameworks that are not here
 */
export async function loadPlan(
  runDirectory: string,
  { isDry = false, overrides = [] }: { isDry?: boolean; overrides?: readonly Override[] } = {},
): Promise<TypingExperiment & { plan: readonly PlannedTrial[] }> {
  if (overrides.length > 0) {
    const flags = overrides.map(({ flag }) => flag).join(', ');
    throw new UserError(
      `a ${PLAN_FILE} says what runs, and takes no ${flags}; give the experiment file instead, or leave that out`,
    );
  }
  const scenario = await scenarioOf(runDirectory);
  if (scenario !== 'typing') {
    throw new UserError(
      `${join(runDirectory, PLAN_FILE)} is of the scenario ${scenario}, and only plans in which people type run again; give the experiment file instead`,
    );
  }
  const { experiment: written, trials } = await readPlan(runDirectory);
  // Of an earlier version: properties that have come since are as they were then.
  const resolved = checkRead(
    filledIn(written, experiment.written.parse({})),
    join(runDirectory, PLAN_FILE),
    experiment.resolved,
  );
  const frameworks = isDry ? await frameworksHere(resolved, runDirectory) : await findFrameworks(resolved.frameworks);
  return { scenario: 'typing', experiment: resolved, frameworks, plan: trials };
}

/** Also within properties, and each item of a list as the first of its defaults. */
function filledIn(written: unknown, defaults: unknown): unknown {
  if (Array.isArray(written) && Array.isArray(defaults)) return written.map((item) => filledIn(item, defaults[0]));
  if (!isObject(written) || !isObject(defaults)) return written;
  const added = Object.entries(defaults).filter(([name]) => !Object.hasOwn(written, name));
  const known = Object.entries(written).map(([name, value]) => [name, filledIn(value, defaults[name])]);
  return Object.fromEntries([...known, ...added]);
}

async function frameworksHere({ frameworks }: Experiment, from: string): Promise<Frameworks> {
  const found = await Promise.all(frameworks.map((name) => admit(name, { from, isDry: true })));
  return byName(found.filter((framework) => framework !== null));
}

interface ResolveOptions {
  /** The names of those that there are; any will do unless given. */
  traces?: readonly string[];
  overrides?: readonly Override[];
  source?: Source;
}

/**
 * Validates what an experiment file says and fills in every default.
 *
 * @param input plain data as the YAML holds it
 * @throws UserError (exit code 2) that lists all problems
 */
export function resolveExperiment(
  input: unknown,
  options: ResolveOptions & { frameworks: readonly KnownFramework[] },
): Experiment {
  const { frameworks, traces = null } = options;
  // It is the scenario of files that name none.
  const typing = isObject(input) && input.scenario === 'typing' ? withoutProperty(input, ['scenario']) : input;
  const check = (resolved: Experiment, wrong: readonly Path[]) => checkRules(resolved, { frameworks, traces }, wrong);
  return resolveBlock(typing, { ...options, block: experiment, check });
}

/** As `resolveExperiment`, of a document scenario. */
export function resolveDocuments(
  input: unknown,
  options: ResolveOptions & { scenario: DocumentScenario },
): DocumentExperiment {
  const { scenario, traces = null } = options;
  const check = (experiment: DocumentExperiment): Problem[] => {
    const text = unknownTrace(experiment.trace, traces);
    return text === null ? [] : [{ paths: [['trace']], text }];
  };
  const block: Property<unknown> = DOCUMENT_EXPERIMENTS[scenario];
  return resolveBlock(input, { ...options, block: block as Property<DocumentExperiment>, check });
}
