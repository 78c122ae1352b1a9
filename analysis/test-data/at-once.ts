/** `describe` and `test` of files whose tests run at once, so that they share a database. */
import { test as single, describe as suite } from 'vitest';

export const describe = suite.concurrent;
export const test = single.concurrent;
