/** Writes the JSON Schema of the experiment file beside the ready-made ones: `npm run schema`. */
import { join } from 'node:path';
import { experimentJsonSchema } from '../../harness/experiment/experiment-options.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { writeJson } from '../../results/formats/write-file.ts';

await writeJson(join(PROJECT_ROOT, 'harness/experiments/experiment.schema.json'), experimentJsonSchema());
