/** Reads the published study that reports may lay beside a run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PublishedStudy, publishedStudySchema } from './study.ts';

const COLLABS_2023 = join(import.meta.dirname, 'collabs-2023.json');

/** The measurements of the Collabs paper (Weidner et al. 2023, section 7), as far as they are here. */
export async function readPublishedStudy(): Promise<PublishedStudy> {
  return publishedStudySchema.parse(JSON.parse(await readFile(COLLABS_2023, 'utf8')));
}
