/** A YAML file and its content against a block of properties: resolved, or every problem at once, each with its place. */
import { isMap, isNode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { isObject } from '../../analysis/figures/nested.ts';
import { DOCUMENT_SCENARIOS } from '../../results/formats/documents.ts';
import { nearest } from '../../results/nearest.ts';
import { UserError } from '../../results/user-error.ts';
import { experiment } from './experiment.ts';
import { documentOptions, experimentOptions, type Override, placesOf, propertiesAt } from './experiment-options.ts';
import { isSentence, type Path, type Properties, type Property } from './property.ts';
import type { Problem } from './rules/rule.ts';
import { describeYamlError, findCircle, findOddNames, inBounds, readText, STDIN } from './yaml-text.ts';

/** Values are shown in messages up to this many characters. */
const SHOWN_LENGTH = 60;

/** The text that a person wrote. */
export interface Source {
  /** For messages: the file's path. */
  name: string;
  /** The line and column of a property's key, or of its value; null if the source does not hold it. */
  placeOf(path: Path, part?: 'key' | 'value'): { line: number; column: number } | null;
}

const NO_SOURCE: Source = { name: 'the experiment', placeOf: () => null };

/**
 * Reads a file as plain data.
 *
 * @param of.what    the kind of file, for messages
 * @param of.example a path of such a file
 * @throws UserError (exit code 2) if it cannot be read, or is not YAML
 */
export async function readWritten(
  path: string,
  { what, example }: { what: string; example: string },
): Promise<{ input: unknown; source: Source; isEmpty: boolean }> {
  const name = path === STDIN ? 'the standard input' : path;
  const text = await readText(path).catch((cause) => {
    const problem = `cannot read ${what} ${path === STDIN ? `from ${name}` : `"${path}"`} (${cause.code ?? cause.message})`;
    const advice = `give the path of a YAML file, such as ${example}`;
    throw new UserError(`${problem}; ${advice}`, { cause });
  });
  const lines = new LineCounter();
  // The parser leaves out, and only warns of, an unknown tag, or a list as a name.
  const options = { lineCounter: lines, prettyErrors: false, logLevel: 'error' } as const;
  const document = inBounds(name, () => parseDocument(text, options));
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const found = [...document.errors, ...document.warnings].map((error) => describeYamlError(error, text));
  const circle = findCircle(document);
  if (circle !== null) found.push({ offset: circle, text: 'a value contains itself by its anchor (&); write it out' });
  if (found.length === 0) found.push(...findOddNames(document));
  if (found.length > 0) {
    throw problemsError(
      name,
      found.map(({ offset, text }) => ({ place: at(offset), text })),
    );
  }
  // A block alone stands for a list of one.
  const writtenPath = (path: Path) => {
    const above: (string | number)[] = [];
    for (const key of path) if (typeof key === 'string' || !isMap(document.getIn(above, true))) above.push(key);
    return above;
  };
  const source: Source = {
    name,
    placeOf(path, part = 'key') {
      const [above, last] = [writtenPath(path.slice(0, -1)), path.at(-1)];
      const parent = part === 'key' ? document.getIn(above, true) : undefined;
      const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === last) : undefined;
      const node = pair === undefined ? document.getIn(last === undefined ? [] : [...above, last], true) : pair.key;
      return isNode(node) && node.range ? at(node.range[0]) : null;
    },
  };
  const input = inBounds(name, () => document.toJS());
  return { input: input ?? {}, source, isEmpty: input === null };
}

/**
 * Validates what a file says against a block of properties, and fills in every default.
 *
 * @param input         plain data as the YAML holds it
 * @param options.check finds the combinations that cannot run, of properties that are not `wrong` by themselves
 * @throws UserError (exit code 2) that lists all problems
 */
export function resolveBlock<Value>(
  input: unknown,
  options: {
    overrides?: readonly Override[];
    source?: Source;
    block: Property<Value>;
    check: (resolved: Value, wrong: readonly Path[]) => Problem[];
  },
): Value {
  const { block, overrides = [], source = NO_SOURCE, check } = options;
  const overridden = overrides.reduce((so, { path, value }) => withValue(so, path, value), input);
  const parsed = block.written.safeParse(overridden);
  const wrong = parsed.success ? [] : issueProblems(parsed.error.issues, overridden, block.properties);
  const wrongPaths = wrong.flatMap(({ paths }) => paths);
  // A property without a default may be wrong: then there is nothing to check together.
  const resolved = parsed.data ?? block.written.safeParse(wrongPaths.reduce(withoutProperty, overridden) ?? {}).data;
  const problems = [...wrong, ...(resolved === undefined ? [] : check(resolved, wrongPaths))];
  if (problems.length === 0 && resolved !== undefined) return resolved;
  throw problemsError(
    source.name,
    problems.map((problem) => located(problem, overrides, source)),
  );
}

interface LocatedProblem {
  place: { line: number; column: number } | null;
  text: string;
}

/** Finds the first of the properties that was written, by a flag or in the file. */
export function located(
  { paths, text, isOfValue = false }: Problem,
  overrides: readonly Override[],
  source: Source,
): LocatedProblem {
  for (const path of paths) {
    const override = overrides.findLast((each) => each.path.every((key, index) => path[index] === key));
    if (override) {
      const part = path.slice(override.path.length).find((key) => typeof key === 'string') ?? '';
      return { place: null, text: `${override.parts?.[part] ?? override.flag}: ${text}` };
    }
    // A problem inside a value that is missing or of another kind is shown at the value.
    for (let length = path.length; length > 0; length--) {
      // A value alone may stand for a list of one.
      const isValue = length === path.length || typeof path[length] === 'number';
      const place = source.placeOf(path.slice(0, length), isOfValue && isValue ? 'value' : 'key');
      if (place) return { place, text: `${pathText(path.slice(0, length))}: ${text}` };
    }
  }
  const path = paths[0] ?? [];
  return path.length === 0 ? { place: source.placeOf([]), text } : { place: null, text: `${pathText(path)}: ${text}` };
}

export function problemsError(name: string, problems: LocatedProblem[]): UserError {
  const sorted = problems.toSorted(
    (a, b) =>
      (a.place?.line ?? Number.POSITIVE_INFINITY) - (b.place?.line ?? Number.POSITIVE_INFINITY) ||
      (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
  const lines = sorted.map(({ place, text }) => `  ${place ? `${place.line}:${place.column} ` : ''}${text}`);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return new UserError(`${name} cannot run, ${count}:\n${lines.join('\n')}`);
}

/** One problem per property, however many of its checks failed. */
function issueProblems(issues: readonly z.core.$ZodIssue[], input: unknown, properties: Properties): Problem[] {
  const problems = new Map<string, Problem>();
  for (const issue of issues.flatMap(meantIssues)) {
    const path = issue.path as Path;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) problems.set(pathText([...path, key]), unknownKey([...path, key], properties));
    } else {
      const value = valueAt(input, path);
      const wrong = value === undefined ? `"${String(path.at(-1))}" is missing` : `${shown(value)} is not valid`;
      const text = isSentence(issue) ? issue.message : `${wrong}; ${hintFor(value, issue)}write ${issue.message}`;
      if (!problems.has(pathText(path))) problems.set(pathText(path), { paths: [path], text, isOfValue: true });
    }
  }
  return [...problems.values()];
}

/** Of a value that may be of several kinds: the issues of the one whose parts were looked at; else that it is of none. */
function meantIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find((issues) =>
    issues.some(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return meant?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
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
  const elsewhere = placeElsewhere(String(path.at(-1)), properties);
  const hint = meant !== null ? `did you mean "${meant}"? ` : elsewhere === null ? '' : `${elsewhere}; `;
  return { paths: [path], text: `there is no such property; ${hint}valid here: ${valid.join(', ')}` };
}

/** The place of a name in the same file, or else in one of another scenario; null: it is nowhere. */
function placeElsewhere(name: string, properties: Properties): string | null {
  const isTyping = properties === experiment.properties;
  const inTyping = placesOf(name, experimentOptions());
  if (inTyping !== undefined) return `${isTyping ? 'this is' : 'the scenario typing has'} ${inTyping}`;
  const able = DOCUMENT_SCENARIOS.filter((scenario) => placesOf(name, documentOptions(scenario)) !== undefined);
  if (able.length === 0) return null;
  return `the scenario ${able.join(' or ')} has "${name}"`;
}

/** `users[1]`, `durations.warmUp`. */
function pathText(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** The value at a path, or the last one on the way to it that is no container. */
function valueAt(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  // One value alone stands for a list of one.
  if (typeof key === 'number' && !Array.isArray(value)) return valueAt(value, rest);
  return valueAt((value as Record<string | number, unknown>)[key], rest);
}

/** A copy with one value set; a block on the way that is something else stays, as a problem of its own. */
function withValue(value: unknown, path: Path, set: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return set;
  if (value === undefined || value === null) return withValue({}, path, set);
  return isObject(value) ? { ...value, [key]: withValue(value[key], rest, set) } : value;
}

/** A copy without a property; of a list, the whole list goes. */
export function withoutProperty(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (typeof key !== 'string' || !isObject(value)) return undefined;
  const inner = withoutProperty(value[key], rest);
  const { [key]: _, ...others } = value;
  return inner === undefined ? others : { ...others, [key]: inner };
}
