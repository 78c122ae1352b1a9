/** Each edit's update is appended to a log, which only grows. */
import { logOfUpdates } from './update-log.ts';

export const way = logOfUpdates(() => Number.POSITIVE_INFINITY);
