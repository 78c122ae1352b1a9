/** Others' figures of single documents, as data with their source: `document-figures.json`. They are shown beside a run's. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { DOCUMENT_SCENARIOS, parametersSchema } from '../formats/documents.ts';

const studySchema = z.object({
  title: z.string(),
  author: z.string(),
  year: z.int(),
  url: z.url(),
  scenario: z.enum(DOCUMENT_SCENARIOS),
  /** The trace that it is about, by its name here. */
  trace: z.string(),
  /** Hardware and versions of the study, and its differences from the measurements here. */
  conditions: z.string(),
  rows: z.array(
    z.object({
      /** As the study calls it. */
      as: z.string(),
      /** Parameters of the same cells here; one that is left out may have any value. */
      of: parametersSchema,
      /** The figure here, in whose unit the value is. */
      figure: z.string(),
      value: z.number(),
    }),
  ),
});

const fileSchema = z.object({ schemaVersion: z.literal(1), studies: z.array(studySchema) });

export type PublishedDocumentStudy = z.infer<typeof studySchema>;

export async function readPublishedDocumentFigures(): Promise<PublishedDocumentStudy[]> {
  const text = await readFile(join(import.meta.dirname, 'document-figures.json'), 'utf8');
  return fileSchema.parse(JSON.parse(text)).studies;
}
