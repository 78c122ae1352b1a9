/**
 * `npm run docs`: writes the generated parts of all documents anew, and fails on a sentence whose figure is not in the data; a test
 * fails on both, too. `npm run schema` (with the argument `schema`): writes the JSON Schemas beside the ready-made experiments.
 * `npm run ask -- "SELECT …"` answers a query over the tables of `cells.sql`.
 */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HELP_FILE, helpFile } from '../../cli/program.ts';
import { describeAll } from '../../documents/replay/describe.ts';
import { DESCRIBED_ENGINES } from '../../documents/replay/engines.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { Cells } from './cells.ts';
import { readDocuments } from './documents.ts';
import { partsOf, withCurrentParts } from './generated-parts.ts';
import { JSON_SCHEMAS } from './json-schemas.ts';
import { KEPT_TABLES } from './kept-tables.ts';
import { pictureFiles } from './people.ts';
import { untiedOf } from './tied-figures.ts';

if (process.argv[2] === 'schema') {
  for (const [path, schemaOf] of Object.entries(JSON_SCHEMAS)) await writeJson(join(PROJECT_ROOT, path), schemaOf());
} else if (process.argv[2] === 'ask') {
  console.log(await KEPT_TABLES.table!(process.argv.slice(3).join(' '), await Cells.open()));
} else {
  await writeJson(join(PROJECT_ROOT, DESCRIBED_ENGINES), await describeAll());
  const cells = await Cells.open();
  for (const { path, text } of await readDocuments()) {
    const current = await withCurrentParts(text, cells);
    if (current !== text) await writeFile(join(PROJECT_ROOT, path), current);
    for (const { name, sql } of partsOf(current)) {
      const files = name === 'people' ? await pictureFiles(sql!, cells) : [];
      for (const file of files) await writeFile(join(PROJECT_ROOT, dirname(path), file.path), file.svg);
    }
  }
  await writeFile(join(PROJECT_ROOT, HELP_FILE), await helpFile());
  const untied = await untiedOf(await readDocuments(), cells);
  if (untied.length > 0) {
    console.error(['Figures in prose that the data do not bear out:', ...untied].join('\n  '));
    process.exitCode = 1;
  }
}
// Some engines keep the process.
process.exit();
