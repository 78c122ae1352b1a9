/** Updates are appended to a log, and at times the state takes the log's place. */
import { logOfUpdates } from './update-log.ts';

export const way = logOfUpdates(({ compactEvery }) => compactEvery);
