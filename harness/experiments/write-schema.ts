/** Writes the JSON Schema of the experiment file beside the ready-made ones: `npm run schema`. */
import { join } from 'node:path';
import { writeJson } from '../../results/formats/write-file.ts';
import { experimentJsonSchema } from '../experiment/experiment-options.ts';

await writeJson(join(import.meta.dirname, 'experiment.schema.json'), experimentJsonSchema());
