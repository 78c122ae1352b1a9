/** The JSON Schemas of files that people write or that programs read, each beside the ready-made experiments. */
import * as z from 'zod';
import { SUMMARY_FIGURES } from '../../analysis/figures/catalogue.ts';
import { longUnit } from '../../analysis/figures/figure.ts';
import { campaignJsonSchema } from '../../harness/campaign/campaign.ts';
import { experimentJsonSchema } from '../../harness/experiment/experiment-options.ts';
import { documentSummarySchema } from '../../results/formats/documents.ts';
import { figuresSchema } from '../../results/formats/figures.ts';
import { summarySchema } from '../../results/formats/summary.ts';

type JsonSchema = Record<string, unknown>;

/** By their paths in the project. */
export const JSON_SCHEMAS: Readonly<Record<string, () => JsonSchema>> = {
  'harness/experiments/experiment.schema.json': experimentJsonSchema,
  'harness/experiments/campaign.schema.json': campaignJsonSchema,
  'harness/experiments/summary.schema.json': () => ({
    title: 'summary.json of Scriptorium, of a run in which people type or of single documents',
    anyOf: [typingSummary(), jsonSchemaOf(documentSummarySchema)],
  }),
  'harness/experiments/figures.schema.json': () => ({
    title: 'figures.json of Scriptorium, beside the records of each trial',
    ...jsonSchemaOf(figuresSchema),
  }),
};

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-07',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as JsonSchema;
}

/** The figures of a cell, described as the catalogue has them. */
function typingSummary(): JsonSchema {
  // As JSON, so that no two figures share one object.
  const summary = JSON.parse(JSON.stringify(jsonSchemaOf(summarySchema))) as JsonSchema;
  const cell = propertyOf(summary, 'cells').items as JsonSchema;
  for (const figure of SUMMARY_FIGURES) {
    const described = figure.name.split('.').reduce(propertyOf, cell);
    described.description = `${figure.label}, ${longUnit(figure)}: ${figure.what}; null: not measured`;
  }
  return summary;
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  return (schema.properties as Record<string, JsonSchema>)[name]!;
}
