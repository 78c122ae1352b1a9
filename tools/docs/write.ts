/** `npm run docs`: writes the generated parts of all documents anew. A test fails if they are out of date. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { readDocuments } from './documents.ts';
import { withCurrentParts } from './generated-parts.ts';

for (const { path, text } of await readDocuments()) {
  const current = await withCurrentParts(text);
  if (current !== text) await writeFile(join(PROJECT_ROOT, path), current);
}
