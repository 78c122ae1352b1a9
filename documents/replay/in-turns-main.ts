/** `node in-turns-main.ts JSON`: the process of one trial of several engines. */
import { loadEngine } from '../engines/load.ts';
import { measureTask } from '../measurement.ts';
import { printSides } from '../turns.ts';
import { readEdits } from './edits.ts';
import { type InTurnsTask, replayInTurns } from './in-turns.ts';

await measureTask(async (task: InTurnsTask) => {
  const engines = await Promise.all(task.engines.map(async (name) => [name, await loadEngine(name)] as const));
  printSides('replay', await replayInTurns(new Map(engines), await readEdits(task.edits), task));
});
