/** The experiment file: YAML in, a resolved experiment out, or every problem at once, each with its place. */
import { isMap, isNode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { type DocumentScenario, isDocumentScenario, SCENARIOS } from '../../results/formats/documents.ts';
import { UserError } from '../../results/user-error.ts';
import { listTraces } from '../../traces/store.ts';
import { DOCUMENT_EXPERIMENTS, type DocumentExperiment } from './document-experiments.ts';
import { type Experiment, experiment } from './experiment.ts';
import { experimentOptions, type Override, placesOf, propertiesAt } from './experiment-options.ts';
import { checkRules } from './experiment-rules.ts';
import { nearest } from './nearest.ts';
import { isSentence, type Path, type Properties, type Property } from './property.ts';
import { experimentPath } from './ready-made.ts';
import type { KnownFramework, Problem } from './rules/rule.ts';
import { letInDefaults, nameFrameworks, nameModes } from './written-names.ts';
import { describeYamlError, findCircle, inBounds, readText } from './yaml-text.ts';

/** Values are shown in messages up to this many characters. */
const SHOWN_LENGTH = 60;

/** The text that the experiment was written in. */
interface Source {
  /** For messages: the file's path. */
  name: string;
  /** The line and column of a property, or null if the source does not hold it. */
  placeOf(path: Path): { line: number; column: number } | null;
}

/**
 * Reads and validates an experiment file.
 *
 * @param options.path       the YAML file, or the name of a ready-made experiment
 * @param options.overrides  values of flags (`overridesFrom`), which replace the file's
 * @param options.frameworks those that exist; found by folder unless given, and by what the file and flags name
 * @param options.traces     the names of those that there are; looked up unless given
 * @throws UserError (exit code 2) that lists all problems, each with line and column or its flag
 */
export async function loadExperiment(options: LoadOptions): Promise<Experiment> {
  const loaded = await loadAnyExperiment(options);
  if (loaded.scenario === 'typing') return loaded.experiment;
  const advice = 'give an experiment in which people type';
  const problem = `${options.path} is of the scenario "${loaded.scenario}", which this command cannot use`;
  throw new UserError(`${problem}; ${advice}`, { exitCode: 2 });
}

interface LoadOptions {
  path: string;
  overrides?: readonly Override[];
  frameworks?: readonly KnownFramework[];
  traces?: readonly string[];
  /** True: packages that a framework lacks are named, not installed. */
  isDry?: boolean;
}

/** The content of an experiment file, by its scenario. */
export type LoadedExperiment =
  | { scenario: 'typing'; experiment: Experiment }
  | { scenario: DocumentScenario; experiment: DocumentExperiment };

/** As `loadExperiment`, of any scenario. */
export async function loadAnyExperiment(options: LoadOptions): Promise<LoadedExperiment> {
  const path = experimentPath(options.path);
  const text = await readText(path).catch((cause) => {
    const problem = `cannot read the experiment file "${path}" (${cause.code ?? cause.message})`;
    const advice = 'give the path of a YAML file, such as harness/experiments/smoke.yaml';
    throw new UserError(`${problem}; ${advice}`, { exitCode: 2, cause });
  });
  const lines = new LineCounter();
  const document = inBounds(path, () => parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    const found = document.errors.map((error) => describeYamlError(error, text));
    throw problemsError(
      path,
      found.map(({ offset, text }) => ({ place: at(offset), text })),
    );
  }
  const circle = findCircle(document);
  if (circle !== null) {
    throw problemsError(path, [{ place: at(circle), text: 'a value contains itself by its anchor (&); write it out' }]);
  }
  const source: Source = {
    name: path,
    placeOf(property) {
      const parent = document.getIn(property.slice(0, -1), true);
      const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === property.at(-1)) : undefined;
      const node = pair === undefined ? document.getIn(property, true) : pair.key;
      return isNode(node) && node.range ? at(node.range[0]) : null;
    },
  };
  const traces = options.traces ?? (await listTraces()).map(({ name }) => name);
  const written = {
    input: inBounds(path, () => document.toJS() ?? {}),
    overrides: options.overrides ?? [],
  };
  const say = (text: string) => process.stderr.write(`${text}\n`);
  if (document.contents === null) say(`${path} sets nothing, so every property has its default`);
  const { input, overrides, frameworks } = nameModes(
    options.frameworks === undefined
      ? await nameFrameworks(written, { path, say, isDry: options.isDry })
      : { ...written, frameworks: options.frameworks },
    say,
  );
  const { scenario = 'typing' } = isBlock(input) ? input : {};
  const defaults = (names: readonly string[]) =>
    options.frameworks === undefined ? letInDefaults(names, { path, say, isDry: options.isDry }) : undefined;
  if (scenario === 'typing') {
    const experiment = resolveExperiment(input, { source, overrides, frameworks, traces });
    await defaults(experiment.frameworks);
    return { scenario, experiment };
  }
  if (!isDocumentScenario(scenario)) {
    const text = `${shown(scenario)} is not valid; write one of: ${SCENARIOS.join(', ')}`;
    throw problemsError(path, [located([['scenario']], text, [], source)]);
  }
  const experiment = resolveDocuments(input, { scenario, source, overrides, traces });
  if ('frameworks' in experiment) await defaults(experiment.frameworks);
  return { scenario, experiment };
}

const NO_SOURCE: Source = { name: 'the experiment', placeOf: () => null };

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
  const typing = isBlock(input) && input.scenario === 'typing' ? withoutProperty(input, ['scenario']) : input;
  const check = (resolved: Experiment, wrong: readonly Path[]) => checkRules(resolved, { frameworks, traces }, wrong);
  return resolve(typing, { ...options, block: experiment, check });
}

/** As `resolveExperiment`, of a document scenario. */
export function resolveDocuments(
  input: unknown,
  options: ResolveOptions & { scenario: DocumentScenario },
): DocumentExperiment {
  const { scenario, traces } = options;
  const check = ({ trace }: DocumentExperiment): Problem[] => {
    if (traces === undefined || traces.includes(trace)) return [];
    return [{ paths: [['trace']], text: `there is no trace "${trace}"; write one of: ${traces.join(', ')}` }];
  };
  const block: Property<unknown> = DOCUMENT_EXPERIMENTS[scenario];
  return resolve(input, { ...options, block: block as Property<DocumentExperiment>, check });
}

/** @param options.check finds the combinations that cannot run, of properties that are not `wrong` by themselves */
function resolve<Value>(
  input: unknown,
  options: ResolveOptions & {
    block: Property<Value>;
    check: (resolved: Value, wrong: readonly Path[]) => Problem[];
  },
): Value {
  const { block, overrides = [], source = NO_SOURCE, check } = options;
  const overridden = overrides.reduce((so, { path, value }) => withValue(so, path, value), input);
  const parsed = block.written.safeParse(overridden);
  const wrong = parsed.success ? [] : issueProblems(parsed.error.issues, overridden, block.properties);
  const wrongPaths = wrong.flatMap(({ paths }) => paths);
  const resolved = parsed.data ?? block.written.parse(wrongPaths.reduce(withoutProperty, overridden) ?? {});
  const problems = [...wrong, ...check(resolved, wrongPaths)];
  if (problems.length === 0) return resolved;
  throw problemsError(
    source.name,
    problems.map(({ paths, text }) => located(paths, text, overrides, source)),
  );
}

/** A problem's line in the message: its place and its text. */
interface LocatedProblem {
  place: { line: number; column: number } | null;
  text: string;
}

/** Finds the first of the properties that was written, by a flag or in the file. */
function located(paths: Path[], text: string, overrides: readonly Override[], source: Source): LocatedProblem {
  for (const path of paths) {
    const override = overrides.find((each) => isWithin(path, each.path));
    if (override) return { place: null, text: `${override.flag}: ${text}` };
    // A problem inside a value that is missing or of another kind is shown at the value.
    for (let length = path.length; length > 0; length--) {
      const place = source.placeOf(path.slice(0, length));
      if (place) return { place, text: `${pathText(path.slice(0, length))}: ${text}` };
    }
  }
  const path = paths[0] ?? [];
  return path.length === 0 ? { place: source.placeOf([]), text } : { place: null, text: `${pathText(path)}: ${text}` };
}

function problemsError(name: string, problems: LocatedProblem[]): UserError {
  const sorted = problems.toSorted(
    (a, b) =>
      (a.place?.line ?? Number.POSITIVE_INFINITY) - (b.place?.line ?? Number.POSITIVE_INFINITY) ||
      (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
  const lines = sorted.map(({ place, text }) => `  ${place ? `${place.line}:${place.column} ` : ''}${text}`);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return new UserError(`${name} cannot run, ${count}:\n${lines.join('\n')}`, { exitCode: 2 });
}

/** One problem per property, however many of its checks failed. */
function issueProblems(issues: readonly z.core.$ZodIssue[], input: unknown, properties: Properties): Problem[] {
  const problems = new Map<string, Problem>();
  for (const issue of issues) {
    const path = issue.path as Path;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) problems.set(pathText([...path, key]), unknownKey([...path, key], properties));
    } else {
      const value = valueAt(input, path);
      const wrong = value === undefined ? `"${String(path.at(-1))}" is missing` : `${shown(value)} is not valid`;
      const text = isSentence(issue) ? issue.message : `${wrong}; ${hintFor(value, issue)}write ${issue.message}`;
      if (!problems.has(pathText(path))) problems.set(pathText(path), { paths: [path], text });
    }
  }
  return [...problems.values()];
}

/** A word that is nearly one of those allowed, and a number between quotes. */
function hintFor(value: unknown, issue: z.core.$ZodIssue): string {
  if (typeof value !== 'string') return '';
  if (issue.code === 'invalid_type' && /^\d+$/.test(value)) return `leave the quotes out: ${value}; `;
  if (issue.code !== 'invalid_value') return '';
  const meant = nearest(value, issue.values.map(String));
  return meant === null ? '' : `did you mean "${meant}"? `;
}

function unknownKey(path: Path, properties: Properties): Problem {
  const valid = propertiesAt(path.slice(0, -1), properties);
  const meant = nearest(String(path.at(-1)), valid);
  const elsewhere = placesOf(String(path.at(-1)), experimentOptions());
  const where = properties === experiment.properties ? 'this is' : 'the scenario typing has';
  const hint = meant !== null ? `did you mean "${meant}"? ` : elsewhere === undefined ? '' : `${where} ${elsewhere}; `;
  return { paths: [path], text: `there is no such property; ${hint}valid here: ${valid.join(', ')}` };
}

/** `users[1]`, `durations.warmUp`. */
function pathText(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function isWithin(inner: Path, outer: Path): boolean {
  return outer.every((key, index) => inner[index] === key);
}

function isBlock(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path, or the last one on the way to it that is no container. */
function valueAt(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  return valueAt((value as Record<string | number, unknown>)[key], rest);
}

/** A copy with one value set; a block on the way that is something else stays, as a problem of its own. */
function withValue(value: unknown, path: Path, set: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return set;
  if (value === undefined || value === null) return withValue({}, path, set);
  return isBlock(value) ? { ...value, [key]: withValue(value[key], rest, set) } : value;
}

/** A copy without a property; of a list, the whole list goes. */
function withoutProperty(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (typeof key !== 'string' || !isBlock(value)) return undefined;
  const inner = withoutProperty(value[key], rest);
  const { [key]: _, ...others } = value;
  return inner === undefined ? others : { ...others, [key]: inner };
}
