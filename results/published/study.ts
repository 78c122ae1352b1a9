/** Others' numbers as data, with their source: one JSON file per study. They are shown beside a run's, clearly apart. */
import * as z from 'zod';

const publishedTableSchema = z.object({
  /** As the study numbers it: `Table 3`. */
  name: z.string(),
  title: z.string(),
  /** The user count of its figures; null if they are for several. */
  users: z.int().positive().nullable(),
  /** Figures of a row, in order, with their unit: `%`, `MB`, `users`. */
  columns: z.array(z.object({ name: z.string(), unit: z.string() })),
  rows: z.array(
    z.object({
      /** As the study calls it. */
      framework: z.string(),
      /** The folder name of the same framework here; null if there is none. */
      here: z.string().nullable(),
      /** One per column; null if the study has none. */
      figures: z.array(z.number().nullable()),
    }),
  ),
  notes: z.array(z.string()),
});

export const publishedStudySchema = z.object({
  schemaVersion: z.literal(1),
  title: z.string(),
  authors: z.array(z.string()),
  year: z.int(),
  url: z.url(),
  /** Their place in the study, and how the numbers got here. */
  source: z.string(),
  /** Conditions of the measurement: machines, versions, durations. */
  conditions: z.array(z.string()),
  tables: z.array(publishedTableSchema),
  /** Parts of the study that this file lacks, and why. */
  missing: z.array(z.string()),
});

export type PublishedTable = z.infer<typeof publishedTableSchema>;
export type PublishedStudy = z.infer<typeof publishedStudySchema>;
