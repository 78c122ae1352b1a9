/**
 * Parts of several formats: names and short texts, which may be anybody's (they become parts of commands, paths, pages and keys),
 * and numbers of records. Browser-safe.
 */
import * as z from 'zod';
import { plainText } from '../foreign-text.ts';

/** Of a framework (`yjs@13.6.20`), mode (`node+presence`), engine, experiment, campaign, part or trace. No option begins so. */
export const nameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][\w.@+-]{0,127}$/,
    'it is no name: letters, digits and "._@+-", 128 at most, a letter or digit first',
  )
  // With a version or a part of a mode, too: tables are asked for the name before it.
  .refine(
    (name) => !(name.split(/[@+]/)[0]! in Object.prototype),
    'it is the name of a property that every object has',
  );

/** Such as `3.53.4, yjs 13.6.33`. */
export const versionSchema = z.string().regex(/^[\w .,:@+~()/-]{0,200}$/, 'it is no version');

/** One line of printable text. */
export const lineSchema = z
  .string()
  .max(500)
  .refine((line) => line === plainText(line) && !line.includes('\n'), 'it is not one line of printable text');

/** Sentences on a trial or a cell, which quote what processes said. */
export const sentenceSchema = z.string().overwrite(plainText);

/** A point in time, such as `2026-11-23T00:25:41.075Z`; a part of names of files. */
export const instantSchema = z.iso.datetime();

/** A point in time on the clock of whoever writes the record, ms since the Unix epoch. */
export const instantMs = z.number().positive();
/** A number of things in a record, or a cumulative counter. */
export const count = z.int().nonnegative();

/** Properties of `environment.json` that pages and sentences show; any other is for its reader alone. */
const known = lineSchema.nullish();
const amount = z.number().min(0).max(1e9).nullish();
export const environmentSchema = z.looseObject({
  ...{ scriptorium: known, node: known, chrome: known, os: known, cpu: known },
  ...{ cores: amount, memoryMiB: amount },
});
