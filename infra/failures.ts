/** How the processes of a fleet's jobs fail. */
import { CUT_OFF_EXIT_CODE, type Failure } from './fleet.ts';
import { badEnd, type ChildEnd } from './process/child.ts';

/** How a job's process failed; null if it ended well. @param who names it, as in "the server process" */
export function failureOf(who: string, end: ChildEnd): Failure | null {
  if (end.code === CUT_OFF_EXIT_CODE) {
    const { lastWords } = end;
    return { text: `${who} has no connection to the coordinator${lastWords && `:\n${lastWords}`}`, of: 'connection' };
  }
  const problem = badEnd(end);
  return problem === null ? null : { text: `${who} ${problem}`, of: 'process' };
}

/** The first that is not null, as soon as it is there; null once all are. */
export function firstFailure<Failure>(ends: Promise<Failure | null>[]): Promise<Failure | null> {
  return new Promise((resolve) => {
    for (const end of ends) end.then((failure) => failure !== null && resolve(failure));
    Promise.all(ends).then(() => resolve(null));
  });
}
