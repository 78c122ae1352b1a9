/** `node updates-main.ts JSON`: makes a run's file of updates. In a process of its own: it takes seconds, and the caller coordinates. */
import { type HistoryFiles, writeUpdates } from './history.ts';

await writeUpdates(JSON.parse(process.argv[2]!) as HistoryFiles);
