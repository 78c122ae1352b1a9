/**
 * Building blocks of an experiment's properties. Each has two forms that come from one declaration: as people write it
 * (`warmUp: 5m`), and as the code has it (`warmUpMs: 300000`), which `plan.json` holds and messages carry.
 * An error's text here completes the sentence "… is not valid: write …".
 */
import * as z from 'zod';
import { BANDWIDTH_PATTERN, DURATION_PATTERN, formatDuration, parseBandwidth, parseDuration } from './units.ts';

export interface Property<Value = unknown, Unit extends string = string> {
  /** Reads the written form, and fills in defaults. */
  written: z.ZodType<Value>;
  /** Checks what `written` made of it. */
  resolved: z.ZodType<Value>;
  /** The suffix of the property's name in the code. */
  unit: Unit;
  /** The valid forms; completes "write …". */
  forms: string;
  /** True if several values may stand in a list. */
  isList: boolean;
  /** Of a block, or of each block of a list: its properties by their names in the file. */
  properties: Properties;
  description: string;
  /** In the written form; absent if the property must be written. */
  default?: unknown;
  /** Of the command line, such as `--warm-up <time>` with `10s`; `help`: its sentence there, without the example. */
  flag?: { form: string; help: string; example: string };
}

/** The place of a value in the file: `['users', 1]` is `users[1]`. */
export type Path = readonly (string | number)[];

export type Properties = Readonly<Record<string, Property>>;

/** The type of a property's value in the code. */
export type ValueOf<P extends Property> = z.output<P['resolved']>;
/** The type of a block in the code. */
export type BlockValue<P extends Properties> = {
  [Name in keyof P & string as `${Name}${P[Name]['unit']}`]: ValueOf<P[Name]>;
};

export interface Block<P extends Properties> extends Property<BlockValue<P>, ''> {
  properties: P;
}

/** Gives a kind of value its place in the file. Without a default it must be written. */
export function property<Value, Unit extends string>(
  kind: Property<Value, Unit>,
  says: { description: string; default?: unknown; flag?: Property['flag'] },
): Property<Value, Unit> {
  const written = says.default === undefined ? kind.written : kind.written.prefault(says.default as never);
  return { ...kind, ...says, written: written.meta({ description: says.description }) };
}

/** A value that reads in the code as it is written. */
export function plain<Value>(forms: string, schema: z.ZodType<Value>): Property<Value, ''> {
  return { written: schema, resolved: schema, unit: '', forms, isList: false, properties: {}, description: '' };
}

/** Any text but none at all. */
export function word(error: string): Property<string, ''> {
  return plain(error, z.string({ error }).min(1, { error }));
}

export function text(error: string, pattern: RegExp): Property<string, ''> {
  return plain(error, z.string({ error }).regex(pattern, { error }));
}

export function wholeNumber(from: number, to?: number, why = ''): Property<number, ''> {
  const error = `a whole number from ${from} ${to === undefined ? 'on' : `to ${to}`}${why}`;
  const atLeast = z.int({ error }).min(from, { error });
  return plain(error, to === undefined ? atLeast : atLeast.max(to, { error }));
}

export function numberAbove(above: number, to?: number): Property<number, ''> {
  const error = `a number above ${above}${to === undefined ? '' : `, at most ${to}`}`;
  const number = z.number({ error }).gt(above, { error });
  return plain(error, to === undefined ? number : number.max(to, { error }));
}

/** A number in [0, 1]. */
export function odds(): Property<number, ''> {
  const error = 'a number from 0 to 1';
  return plain(error, z.number({ error }).min(0, { error }).max(1, { error }));
}

export function oneOf<const Value extends string>(values: readonly Value[]): Property<Value, ''> {
  const error = `one of: ${values.join(', ')}`;
  return plain(error, z.enum(values, { error }));
}

export function trueFalse(): Property<boolean, ''> {
  const error = 'true or false';
  return plain(error, z.boolean({ error }));
}

/** Yes, no, or this word. */
export function trueFalseOr<const Word extends string>(word: Word): Property<boolean | Word, ''> {
  const error = `true, false or ${word}`;
  return plain(error, z.union([z.boolean({ error }), z.literal(word, { error })], { error }));
}

/** One of these words, or how many. */
export function wordOrCount<const Word extends string>(
  words: readonly Word[],
  { from = 1, why = '' }: { from?: number; why?: string } = {},
): Property<Word | number, ''> {
  const error = `${words.join(', ')}, or a whole number from ${from} on${why}`;
  return plain(error, z.union([z.enum(words, { error }), z.int({ error }).min(from, { error })], { error }));
}

/** A value of either kind, such as a count or a block. */
export function either<One, Other>(one: Property<One, ''>, other: Property<Other, ''>): Property<One | Other, ''> {
  const error = `${one.forms}, or ${other.forms}`;
  return {
    ...plain(error, z.union([one.resolved, other.resolved])),
    written: z.union([one.written, other.written], { error }),
    properties: { ...one.properties, ...other.properties },
  };
}

export function orNull<Value, Unit extends string>(kind: Property<Value, Unit>): Property<Value | null, Unit> {
  const forms = kind.forms.includes('or null') ? kind.forms : `${kind.forms}, or null`;
  return { ...kind, forms, written: kind.written.nullable(), resolved: kind.resolved.nullable() };
}

/** Longer than any run; what is longer was meant otherwise. A timer holds 596 h, and is over at once if it gets more. */
const LONGEST_MS = 500 * 3_600_000;

export function duration(options: { zero: boolean }): Property<number, 'Ms'> {
  const forms = `a duration such as 500ms, 10s or 5m${options.zero ? '' : ', longer than 0'}`;
  const error = (issue: { input?: unknown }) =>
    /^\d+$/.test(String(issue.input))
      ? `it with its unit: ${issue.input}ms, ${issue.input}s or ${issue.input}m`
      : (parseDuration(String(issue.input)) ?? 0) > LONGEST_MS
        ? '500h at most'
        : (inOneUnit(String(issue.input)) ?? forms);
  const written = z
    .string({ error })
    .regex(DURATION_PATTERN, { error })
    .refine((text) => options.zero || parseDuration(text) !== 0, { error })
    .refine((text) => parseDuration(text)! <= LONGEST_MS, { error })
    .transform((text) => parseDuration(text) ?? Number.NaN);
  return { ...plain(forms, z.number().nonnegative()), written, unit: 'Ms' };
}

/** `90s` for `1m30s`; null of anything else. */
function inOneUnit(text: string): string | null {
  const parts = text.match(/\d+(?:\.\d+)?(?:ms|s|m|h)/g) ?? [];
  if (parts.length < 2 || parts.join('') !== text) return null;
  return `it in one unit: ${formatDuration(parts.reduce((sum, part) => sum + parseDuration(part)!, 0))}`;
}

export function bandwidth(): Property<number, 'BytesPerSecond'> {
  const error = 'a bandwidth such as 256kbit/s, 20Mbit/s or 1Gbit/s, above 0, or null for no limit';
  const written = z
    .string({ error })
    .regex(BANDWIDTH_PATTERN, { error })
    .refine((text) => parseBandwidth(text) !== 0, { error })
    .transform((text) => parseBandwidth(text) ?? Number.NaN);
  return { ...plain(error, z.number().positive()), written, unit: 'BytesPerSecond' };
}

/** Listed values multiply; no run means to have more of them. */
const MOST_VALUES = 1000;

/** A list; one value alone stands for a list of one. */
export function list<Value, Unit extends string>(
  item: Property<Value, Unit>,
  options: { empty: boolean } = { empty: false },
): Property<Value[], Unit> {
  const error = `a list of ${options.empty ? 'at most' : 'one value to'} ${MOST_VALUES}`;
  const several = <T>(each: z.ZodType<T>) => {
    const any = z.array(each, { error }).max(MOST_VALUES, { error });
    return options.empty ? any : any.min(1, { error });
  };
  return {
    ...plain(`${item.forms}; or a list`, several(item.resolved)),
    written: z.preprocess(
      (value) => (Array.isArray(value) || value === undefined ? value : [value]),
      several(item.written),
    ),
    unit: item.unit,
    isList: true,
    properties: item.properties,
  };
}

/** Properties that belong together. Unless one of them must be written, the block may be left out. */
export function block<const P extends Properties>(
  properties: P,
  error = 'a block of properties, or leave it out',
): Block<P> {
  const entries = Object.entries(properties);
  const written = z.strictObject(Object.fromEntries(entries.map(([name, each]) => [name, each.written])), { error });
  const resolved = z.object(Object.fromEntries(entries.map(([name, each]) => [`${name}${each.unit}`, each.resolved])));
  return {
    ...plain(error, resolved as z.ZodType as z.ZodType<BlockValue<P>>),
    written: written.transform(
      (values) =>
        Object.fromEntries(entries.map(([name, { unit }]) => [`${name}${unit}`, values[name]])) as BlockValue<P>,
    ),
    properties,
  };
}

/** Says that a property of a block, or an item of a list, cannot stand beside the others, in a whole sentence. */
export type Refuse = (property: string | number, sentence: string) => void;

/** A block or a list that the code has in another shape than the file. */
export function reshaped<Written, Value>(
  kind: Property<Written, ''>,
  into: { resolved: z.ZodType<Value>; reshape: (written: Written, refuse: Refuse) => Value },
): Property<Value, ''> {
  const written = kind.written.transform((value, { issues }) =>
    into.reshape(value, (property, message) => {
      issues.push({ code: 'custom', path: [property], message, input: value, params: { isSentence: true } });
    }),
  );
  return { ...kind, resolved: into.resolved, written };
}

/** True if an issue's message is a whole sentence; others complete "… is not valid: write …". */
export function isSentence(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.isSentence === true;
}
