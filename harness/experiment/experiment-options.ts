/** The options of an experiment as lists: for editors (JSON Schema), for messages, for the documentation. */
import * as z from 'zod';
import { experiment } from './experiment.ts';
import type { Path, Properties, Property } from './property.ts';

/** An option: a property that is no block, or a list of blocks. */
export interface ExperimentOption extends Property {
  path: string[];
}

/** Every option of the file, in its order; of what a list's blocks hold, see `propertiesAt`. */
export function experimentOptions(
  properties: Properties = experiment.properties,
  within: string[] = [],
): ExperimentOption[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = [...within, name];
    const isBlock = !property.isList && Object.keys(property.properties).length > 0;
    return isBlock ? experimentOptions(property.properties, path) : [{ ...property, path }];
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

/** The options as a table in Markdown: property, default, flag, meaning. */
export function optionsMarkdown(): string {
  const rows = experimentOptions().map(({ path, default: initially, flag, description }) => [
    `\`${path.join('.')}\``,
    `\`${JSON.stringify(initially)}\``,
    flag === undefined ? '' : `\`${flag}\``,
    description,
  ]);
  const headings = ['property', 'default', 'flag', 'meaning'];
  return [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
