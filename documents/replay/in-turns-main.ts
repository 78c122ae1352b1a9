/** `node in-turns-main.ts JSON`: the process of one trial of several engines. Prints a line `subject` before the lines of each. */
import { nowMs } from '../../infra/clock.ts';
import { SCHEMA_VERSION } from '../../results/formats/records.ts';
import { loadEngine } from '../engines/load.ts';
import { measureTask, printLines } from '../measurement.ts';
import { readEdits } from './edits.ts';
import { type InTurnsTask, replayInTurns } from './in-turns.ts';

await measureTask(async (task: InTurnsTask) => {
  const engines = await Promise.all(task.engines.map(async (name) => [name, await loadEngine(name)] as const));
  const measured = await replayInTurns(new Map(engines), await readEdits(task.edits), task);
  const about = { type: 'subject', schemaVersion: SCHEMA_VERSION, scenario: 'replay', version: '' } as const;
  for (const [engine, lines] of measured) printLines({ ...about, of: { engine }, atMs: nowMs() }, ...lines);
});
