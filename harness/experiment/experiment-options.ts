/** The options of an experiment as lists: for editors (JSON Schema), for messages, for the documentation. */
import * as z from 'zod';
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

function optionsOf(properties: Properties, within: string[]): ExperimentOption[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = [...within, name];
    const isBlock = !property.isList && Object.keys(property.properties).length > 0;
    return isBlock ? optionsOf(property.properties, path) : [{ ...property, path }];
  });
}

/** The names of the properties that a block may hold; a number in its path is a place in a list. */
export function propertiesAt(path: Path): string[] {
  let properties: Properties = experiment.properties;
  for (const name of path) {
    if (typeof name === 'string') properties = properties[name]?.properties ?? {};
  }
  return Object.keys(properties);
}

/** The JSON Schema of the file as people write it. */
export function experimentJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(experiment.written, {
    io: 'input',
    // What the YAML language server understands best.
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
  });
  return { title: 'Scriptorium experiment', ...schema };
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
