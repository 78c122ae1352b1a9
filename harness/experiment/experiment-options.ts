/** The options of an experiment as lists: for editors (JSON Schema), messages and the documentation; and as flags. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { DOCUMENT_SCENARIOS, type DocumentScenario } from '../../results/formats/documents.ts';
import { UserError } from '../../results/user-error.ts';
import { DOCUMENT_EXPERIMENTS } from './document-experiments.ts';
import { experiment } from './experiment.ts';
import type { Path, Properties, Property } from './property.ts';

/** A property that is no block. */
export interface ExperimentOption extends Property {
  path: string[];
}

/** Every option of the file, in its order. A list of blocks is one, and what its blocks hold stands in `properties`. */
export function experimentOptions(): ExperimentOption[] {
  return optionsOf(experiment.properties, []);
}

/** The same of a document scenario's file. */
export function documentOptions(scenario: DocumentScenario): ExperimentOption[] {
  return optionsOf(DOCUMENT_EXPERIMENTS[scenario].properties, []);
}

/** Those that have a flag, each flag once: scenarios share some. */
export function flaggedOptions(): (ExperimentOption & { flag: NonNullable<ExperimentOption['flag']> })[] {
  const all = [...experimentOptions(), ...DOCUMENT_SCENARIOS.flatMap(documentOptions)];
  const flagged = all.flatMap(({ flag, ...option }) => (flag === undefined ? [] : [{ ...option, flag }]));
  return flagged.filter(({ flag }, index) => index === flagged.findIndex((each) => each.flag.form === flag.form));
}

function optionsOf(properties: Properties, within: string[]): ExperimentOption[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = [...within, name];
    const isBlock = !property.isList && Object.keys(property.properties).length > 0;
    return isBlock ? optionsOf(property.properties, path) : [{ ...property, path }];
  });
}

/** The first place of a property of this name, such as `network.groups[].jitter`; undefined if there is none. */
export function placesOf(name: string, options: readonly ExperimentOption[]): string | undefined {
  for (const { path, properties } of options) {
    if (path.at(-1) === name) return `"${path.join('.')}"`;
    if (Object.hasOwn(properties, name)) return `"${path.join('.')}[].${name}"`;
  }
  return undefined;
}

/** The names of the properties that a block may hold; a number in its path is a place in a list. */
export function propertiesAt(path: Path, of: Properties): string[] {
  let properties = of;
  for (const name of path) {
    if (typeof name === 'string') properties = properties[name]?.properties ?? {};
  }
  return Object.keys(properties);
}

/** The JSON Schema of the file as people write it: by its scenario, each with properties of its own. */
export function experimentJsonSchema(): Record<string, unknown> {
  const { $schema, properties, ...typing } = jsonSchemaOf(experiment.written);
  const scenario = { description: 'The scenario: what is measured.', enum: ['typing'], default: 'typing' };
  const whereTyping = { ...typing, properties: { scenario, ...(properties as object) } };
  const all = DOCUMENT_SCENARIOS.reduceRight<object>((others, name) => {
    const { $schema: _, ...own } = jsonSchemaOf(DOCUMENT_EXPERIMENTS[name].written);
    const isThis = { properties: { scenario: { const: name } }, required: ['scenario'] };
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
    return { if: isThis, then: own, else: others };
  }, whereTyping);
  return { title: 'Scriptorium experiment', $schema, type: 'object', ...all };
}

export function jsonSchemaOf(written: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(written, {
    io: 'input',
    // The YAML language server understands this draft best.
    target: 'draft-07',
    override: ({ jsonSchema }) => {
      // Every whole number's bound in JavaScript says nothing about experiments.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (typeof jsonSchema.items !== 'object' || Array.isArray(jsonSchema.items)) return;
      // One value alone stands for a list of one.
      const { type, items, minItems } = jsonSchema;
      jsonSchema.anyOf = [items, { type, items, minItems }];
      for (const key of ['type', 'items', 'minItems'] as const) delete jsonSchema[key];
    },
  }) as Record<string, unknown>;
}

/** For the documentation, in Markdown: of each option the property, its default, what to write, and what it is. */
export function optionsTable(options: readonly ExperimentOption[] = experimentOptions(), within = ''): string[][] {
  return options.flatMap(({ path, properties, forms, description, ...option }) => {
    const name = `${within}${path.join('.')}`;
    const row = [`\`${name}\``, defaultText(option.default), forms, description];
    return [row, ...optionsTable(optionsOf(properties, []), `${name}[].`)];
  });
}

function defaultText(value: unknown): string {
  if (value === undefined) return 'required';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** A property set by a flag; its problems name the flag. */
export interface Override {
  flag: string;
  path: Path;
  value: unknown;
  /** Of a block that several flags make: the flag of each of its properties that is not `flag`'s. */
  parts?: Readonly<Record<string, string>>;
}

/** A list that is given twice is a slip: its values stand in one. Of other flags the command line says that. */
function once(value: string, earlier: unknown): string {
  if (earlier === undefined) return value;
  throw new InvalidArgumentError(`It is given twice; write it once, several values with commas: ${earlier},${value}.`);
}

const FLAGS = flaggedOptions().map((option) => {
  const { form, help, example } = option.flag;
  const flag = new Option(form, `${help}, such as ${example}`).helpGroup('Instead of what the file says:');
  return { option, flag: option.isList ? flag.argParser(once) : flag };
});

/** Gives a command the flags that override properties of the experiment file, but for those that it settles itself. */
export function addExperimentOptions(command: Command, { but = [] }: { but?: readonly string[] } = {}): Command {
  for (const { flag, option } of FLAGS) if (!but.includes(option.path.join('.'))) command.addOption(flag);
  return command;
}

/** For `loadExperiment`. @param options commander's, of a command that `addExperimentOptions` prepared; others are left alone */
export function overridesFrom(options: Record<string, unknown>): Override[] {
  return FLAGS.flatMap(({ option, flag }) => {
    const text = options[flag.attributeName()];
    if (typeof text !== 'string') return [];
    refuseSpaces(text, { flag: flag.long!, option });
    return [{ flag: flag.long!, path: option.path, value: read(text, option) }];
  });
}

/** @throws UserError (2) of values with spaces between them, which are none together and a list by themselves */
function refuseSpaces(text: string, { flag, option }: { flag: string; option: ExperimentOption }): void {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (!option.isList || parts.length < 2) return;
  const isValid = (list: string) => option.written.safeParse(read(list, option)).success;
  if (isValid(text) || !isValid(parts.join(','))) return;
  throw new UserError(
    `${flag}: several values stand with commas between them, not "${text}"; write ${parts.join(',')}`,
  );
}

/** A list's values stand with commas between them. */
function read(text: string, { isList, written }: ExperimentOption): unknown {
  if (isList)
    return text.split(',').map((each) => asNumber(each.trim(), (value) => written.safeParse([value]).success));
  return asNumber(text, (value) => written.safeParse(value).success);
}

/** Digits are a number, as in a file, unless the property takes text. */
function asNumber(text: string, isValid: (value: unknown) => boolean): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) && !isValid(text) ? Number(text) : text;
}
