/** Numbers on the command line. */
import { InvalidArgumentError } from 'commander';
import { SIGIL_NUMBERS } from '../editors/base/sigils.ts';
import { parseDuration } from '../harness/experiment/units.ts';

/** Reads a whole number of a range, of ten digits at most. @throws InvalidArgumentError of any other */
export function wholeNumber(least: number, most = 10 ** 10 - 1): (text: string) => number {
  return (text) => {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
  };
}

export const parseWholeNumber = wholeNumber(0);
export const parseCount = wholeNumber(1, 10 ** 5 - 1);

/** A number of users, as an experiment may have. @throws InvalidArgumentError of any other */
export function parseUsers(text: string): number {
  const users = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.NaN;
  if (users <= SIGIL_NUMBERS) return users;
  const several = text.includes(',') ? `; run FILE --users ${text} takes several` : '';
  throw new InvalidArgumentError(`Write a whole number from 1 to ${SIGIL_NUMBERS}${several}.`);
}

/** @throws InvalidArgumentError unless it is a number from 0 to 100 */
export function parsePercent(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError('Write a number from 0 to 100.');
}

/** A duration in ms. @throws InvalidArgumentError unless it has its unit, and is longer than 0 */
export function parseTime(text: string): number {
  const timeMs = parseDuration(text);
  if (timeMs !== null && timeMs > 0) return timeMs;
  throw new InvalidArgumentError('Give a time such as 90m or 2h.');
}
